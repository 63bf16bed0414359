/** Streams that may be used before the connection is there that they belong to. */

import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';

type Callback = (error?: Error | null) => void;

/** What a program prints. */
export class LateReadable extends Readable {
  private socket: Socket | undefined;
  private isWanted = false;
  private isFinished = false;

  /** From now on what comes over the connection is what can be read. */
  connect(socket: Socket): void {
    this.socket = socket;
    if (this.destroyed) return void socket.destroy();
    socket.on('data', (chunk: Buffer) => {
      if (!this.isFinished && !this.push(chunk)) socket.pause();
    });
    // A program that was ended resets its connection: what it had printed until then has been read.
    socket.on('error', () => this.finish());
    socket.on('end', () => this.finish());
    socket.on('close', () => this.finish());
    if (!this.isWanted) socket.pause();
  }

  /** Nothing more will come. */
  finish(): void {
    if (!this.isFinished && !this.destroyed) this.push(null);
    this.isFinished = true;
    this.socket?.destroy();
  }

  override _read(): void {
    this.isWanted = true;
    this.socket?.resume();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.socket?.destroy();
    callback(error);
  }
}

/** What a program reads. */
export class LateWritable extends Writable {
  private socket: Socket | undefined;
  private waiting: (() => void) | undefined;

  connect(socket: Socket): void {
    this.socket = socket;
    if (this.destroyed) return void socket.destroy();
    socket.on('error', (error) => this.destroy(brokenPipe(error)));
    socket.on('close', () => this.destroy());
    this.waiting?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.withSocket((socket) => socket.write(chunk, (error) => callback(error && brokenPipe(error))));
  }

  override _final(callback: Callback): void {
    this.withSocket((socket) => socket.end(() => callback()));
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.socket?.destroy();
    callback(error);
  }

  private withSocket(use: (socket: Socket) => void): void {
    const { socket } = this;
    if (socket !== undefined) use(socket);
    else
      this.waiting = () => {
        if (this.socket !== undefined) use(this.socket);
      };
  }
}

/** A program that ends without reading all resets the connection, where a pipe would be broken. */
function brokenPipe(error: Error): Error {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    ? Object.assign(new Error('write EPIPE', { cause: error }), { code: 'EPIPE', syscall: 'write' })
    : error;
}
