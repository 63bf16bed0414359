/** The client's end of a WebSocket, over mutual TLS. */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { WebSocketConnection, type WebSocketEvents } from './connection.ts';

export interface DialOptions {
  /** `wss://primary.example.com:8143/server` */
  readonly url: string;
  /** PEM, as the two below. */
  readonly ca: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly crl?: string;
  readonly maxMessageBytes: number;
  /** Until the connection is open. */
  readonly timeoutMs: number;
  /** Ends the attempt; a connection that is open is not ended. */
  readonly signal: AbortSignal;
}

/**
 * Opens a connection.
 *
 * @param onOpen - also gets the DNS names that the server's certificate proves
 * @throws Error when it does not open: refused, not trusted, too slow, or aborted
 */
export function dialWebSocket(
  options: DialOptions,
  onOpen: (connection: WebSocketConnection, serverNames: readonly string[]) => WebSocketEvents,
): Promise<WebSocketConnection> {
  const webSocket = new WebSocket(options.url, {
    ca: options.ca,
    cert: options.certificate,
    key: options.privateKey,
    ...(options.crl === undefined ? {} : { crl: options.crl }),
    perMessageDeflate: false,
    maxPayload: options.maxMessageBytes,
    handshakeTimeout: options.timeoutMs,
    followRedirects: false,
  });
  const abort = (): void => webSocket.terminate();
  options.signal.addEventListener('abort', abort, { once: true });
  return new Promise((resolve, reject) => {
    const settle = (): void => options.signal.removeEventListener('abort', abort);
    webSocket.once('error', (error: Error) => {
      settle();
      reject(error);
    });
    webSocket.once('upgrade', ({ socket }: { readonly socket: Socket }) => {
      webSocket.once('open', () => {
        settle();
        const names = socket instanceof TLSSocket ? namesOf(socket) : [];
        resolve(new WebSocketConnection(webSocket, socket, (connection) => onOpen(connection, names)));
      });
    });
  });
}

function namesOf(socket: TLSSocket): readonly string[] {
  const names = socket.getPeerCertificate().subjectaltname ?? '';
  return Array.from(names.matchAll(/DNS:([^,\s"]+)/g), ([, name = '']) => name.toLowerCase());
}
