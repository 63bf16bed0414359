/** The server's end of a WebSocket. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { STATUS_CODES } from '../../lib/node-http.ts';
import { type OnOpen, WebSocketConnection } from './connection.ts';

export interface WebSocketLimits {
  /** The largest message, in bytes; a larger one closes the connection with 1009. */
  readonly maxMessageBytes: number;
}

/**
 * Makes a function that answers upgrade requests with 101, or with an error of HTTP for those that ask for no WebSocket.
 * No compression and no sub-protocols: pxp-agents ask for neither.
 *
 * @returns takes the request, its socket and what came after it; calls `onOpen` unless the request is refused
 */
export function webSocketAcceptor(
  limits: WebSocketLimits,
): (message: IncomingMessage, socket: Socket, head: Buffer, onOpen: OnOpen) => void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.maxMessageBytes,
  });
  return (message, socket, head, onOpen) =>
    server.handleUpgrade(
      message,
      socket,
      head,
      (webSocket) => new WebSocketConnection(webSocket, socket, onOpen),
    );
}

/** Answers an upgrade request with an error of HTTP, and ends the connection. */
export function refuseUpgrade(socket: Socket, status: number, text: string): void {
  const body = `${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: text/plain;charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
