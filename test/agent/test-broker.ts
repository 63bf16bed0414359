/** A broker for tests of our PXP agent: one HTTPS server that agents dial, and servers that have files. */

import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TestCertificate } from '../support/openssl-authority.ts';

export interface PcpMessage {
  readonly id: string;
  readonly message_type: string;
  readonly target?: string;
  readonly sender?: string;
  readonly in_reply_to?: string;
  readonly data?: unknown;
}

export interface Identity extends TestCertificate {
  readonly ca: string;
}

export class TestBroker {
  /** Messages that were not taken yet. */
  readonly unread: PcpMessage[] = [];
  /** Paths of the upgrades, in their order. */
  readonly upgrades: string[] = [];
  /** Codes and reasons of connections that ended. */
  readonly closed: (readonly [number, string])[] = [];
  /** Pings of agents. */
  pingCount = 0;
  /** What the next upgrades are answered instead of 101. */
  refuseWith: number | undefined;
  /** How long the answer to an upgrade takes, in milliseconds. */
  answersAfterMs = 0;
  /** Of the certificate that the last agent presented. */
  peerSerial = '';
  private raw: TLSSocket | undefined;
  private readonly server: Server;
  private readonly tcpSockets = new Set<Socket>();
  private readonly sockets = new WebSocketServer({ noServer: true, autoPong: true });
  private connection: WebSocket | undefined;
  private usedPort = 0;

  constructor(identity: Identity, maxVersion: SecureVersion = 'TLSv1.3') {
    const { ca, certificate, privateKey } = identity;
    this.server = createServer({
      ca,
      cert: certificate,
      key: privateKey,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion,
    });
    watchSockets(this.server, this.tcpSockets);
    this.server.on('upgrade', (request, socket, head) => {
      this.upgrades.push(request.url ?? '');
      if (this.refuseWith !== undefined) {
        socket.end(`HTTP/1.1 ${this.refuseWith} Refused\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const raw = socket as TLSSocket;
      this.raw = raw;
      this.peerSerial = raw.getPeerCertificate().serialNumber;
      setTimeout(() => {
        this.sockets.handleUpgrade(request, raw, head, (opened) => this.accept(opened));
      }, this.answersAfterMs);
    });
  }

  get port(): number {
    return this.usedPort;
  }

  /** The port of the first time, when there was one. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(this.usedPort, 'localhost', resolve);
    });
    this.usedPort = (this.server.address() as AddressInfo).port;
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  send(message: PcpMessage | string): void {
    this.connection?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  sendBytes(bytes: Buffer): void {
    this.connection?.send(bytes);
  }

  /** One message in frames of this size, with a ping between them. */
  sendFragments(text: string, size: number): void {
    for (let at = 0; at < text.length; at += size) {
      this.connection?.send(text.slice(at, at + size), { fin: at + size >= text.length });
      this.connection?.ping('abc');
    }
  }

  /** Bytes that are no frame. */
  sendRaw(bytes: Buffer): void {
    this.raw?.write(bytes);
  }

  /** Removes and returns the first message that fits. */
  take(fits: (message: PcpMessage) => boolean): PcpMessage | undefined {
    const index = this.unread.findIndex(fits);
    return index < 0 ? undefined : this.unread.splice(index, 1)[0];
  }

  close(code: number, reason: string): void {
    this.connection?.close(code, reason);
  }

  /** Ends connections without a close frame. */
  cut(): void {
    for (const client of this.sockets.clients) client.terminate();
    this.connection = undefined;
  }

  /** No pong any more, and nothing is read. */
  freeze(): void {
    this.connection?.pause();
  }

  thaw(): void {
    this.connection?.resume();
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.tcpSockets) socket.destroy();
    await closed;
  }

  private accept(opened: WebSocket): void {
    this.connection = opened;
    opened.on('ping', () => {
      this.pingCount += 1;
    });
    opened.on('message', (data: Buffer) => this.unread.push(JSON.parse(data.toString('utf8')) as PcpMessage));
    opened.on('close', (code, reason) => {
      this.closed.push([code, reason.toString('utf8')]);
      if (this.connection === opened) this.connection = undefined;
    });
    opened.on('error', () => undefined); // The close event says it.
  }
}

/** A server that has files of tasks, and notes what is asked. */
export class FileServer {
  readonly requests: { readonly url: string; readonly status: number }[] = [];
  /** By path without query. */
  readonly files = new Map<string, string>();
  /** What everything is answered, when set. */
  status: number | undefined;
  private readonly server: Server;
  private readonly tcpSockets = new Set<Socket>();

  constructor(identity: Identity) {
    const { ca, certificate, privateKey } = identity;
    this.server = createServer(
      { ca, cert: certificate, key: privateKey, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        const url = request.url ?? '';
        const path = url.split('?')[0] ?? '';
        const text = this.files.get(path);
        const status = this.status ?? (text === undefined ? 404 : 200);
        this.requests.push({ url, status });
        const missing = JSON.stringify({
          message: `Not Found: Could not find file_content ${path.replace('/puppet/v3/file_content/', '')}`,
          issue_kind: 'RESOURCE_NOT_FOUND',
        });
        response.writeHead(status).end(status === 200 ? text : status === 404 ? missing : 'busy');
      },
    );
    watchSockets(this.server, this.tcpSockets);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, 'localhost', resolve);
    });
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.tcpSockets) socket.destroy();
    await closed;
  }
}

/** Those that are upgraded or still in their handshake as well, which a server forgets and yet waits for when it is closed. */
function watchSockets(server: Server, sockets: Set<Socket>): void {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}
