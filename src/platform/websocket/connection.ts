/** An open WebSocket, whichever end began it. */

import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

export interface WebSocketEvents {
  /** A whole message: text as a string, binary as bytes. Large text is bytes, too: to decode it takes milliseconds. */
  message(data: string | Buffer): void;
  /**
   * Called once, after which nothing else is called.
   *
   * @param code - 1006 when the connection ended without a close frame
   */
  closed(code: number, reason: string): void;
}

/** Called when a connection is open, before its first message. */
export type OnOpen = (connection: WebSocketConnection) => WebSocketEvents;

/** In bytes. */
const largeText = 256 * 1024;
/** How long a peer may take to answer a close frame. */
const closeTimeoutMs = 5000;

export class WebSocketConnection {
  private readonly webSocket: WebSocket;
  private readonly socket: Socket;

  /** @param socket - below the WebSocket */
  constructor(webSocket: WebSocket, socket: Socket, onOpen: OnOpen) {
    this.webSocket = webSocket;
    this.socket = socket;
    const events = onOpen(this);
    webSocket.on('message', (data: Buffer, isBinary: boolean) =>
      events.message(isBinary || data.length > largeText ? data : data.toString('utf8')),
    );
    webSocket.on('error', ignore);
    webSocket.once('close', (code: number, reason: Buffer) => events.closed(code, reason.toString('utf8')));
  }

  /** What was sent and has not left this process yet. */
  get bufferedBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  /** Grows with each byte of the peer, so that silence can be seen without a timer for each connection. */
  get receivedBytes(): number {
    return this.socket.bytesRead;
  }

  /** Does nothing when the connection is closing. */
  send(data: string | Uint8Array): void {
    const { webSocket } = this;
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(data, { binary: typeof data !== 'string' });
  }

  ping(): void {
    if (this.webSocket.readyState === this.webSocket.OPEN) this.webSocket.ping();
  }

  /** Stops reading: the peer waits as soon as the buffers in between are full. */
  pause(): void {
    this.webSocket.pause();
  }

  resume(): void {
    this.webSocket.resume();
  }

  /** Sends a close frame. A peer that does not answer it is cut off. */
  close(code: number, reason: string): void {
    this.webSocket.close(code, reason);
    const timer = setTimeout(() => this.cut(), closeTimeoutMs);
    this.webSocket.once('close', () => clearTimeout(timer));
  }

  /** Ends the connection without a close frame. */
  cut(): void {
    this.webSocket.terminate();
  }
}

/** A broken frame, a message above the limit, a broken connection: `close` follows with the code. */
function ignore(): void {
  // nothing to do
}
