/** Lines on their way to a file descriptor: held back for a moment, written together, never waited for. */

import { write, writeSync } from 'node:fs';

export interface BufferedOutputOptions {
  /** Asked before each write where it may change; never while a write is under way. */
  readonly fd: number | (() => number);
  /** Written at once when this many bytes are held. */
  readonly bytes: number;
  /** Written after this time in any case. */
  readonly intervalMs: number;
}

/** While the reader is slow, no more than this is kept: a log must not take the server's memory. */
const maxHeldBytes = 16 * 1024 * 1024;
/** At the end of the process, for a reader that is slow; one that is gone is not waited for. */
const lastPauseMs = 10;
const lastAttempts = 50;

export class BufferedOutput {
  private readonly options: BufferedOutputOptions;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private isWriting = false;
  private usedFd: number | undefined;

  constructor(options: BufferedOutputOptions) {
    this.options = options;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.heldBytes + bytes.length > maxHeldBytes) return;
    this.held.push(bytes);
    this.heldBytes += bytes.length;
    if (this.heldBytes >= this.options.bytes) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.options.intervalMs).unref();
  }

  /** Writes what is held before it returns; drops it when the reader is gone. */
  flushSync(): void {
    let rest = this.take();
    for (let attempt = 0; rest.length > 0 && attempt < lastAttempts; attempt += 1) {
      try {
        rest = rest.subarray(writeSync(this.descriptor(), rest));
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastPauseMs);
      }
    }
  }

  private flush(): void {
    // The end of the current write starts the next one.
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting || this.heldBytes === 0) return;
    const bytes = this.take();
    const fd = this.descriptor();
    this.isWriting = true;
    write(fd, bytes, 0, bytes.length, null, (error, written) => {
      this.isWriting = false;
      // A reader that is gone, a disk that is full: these lines are lost, the server goes on.
      if (error !== null && !isBusy(error)) return;
      this.giveBack(bytes.subarray(error === null ? written : 0));
      if (this.heldBytes > 0) this.timer ??= setTimeout(() => this.flush(), this.options.intervalMs).unref();
    });
  }

  private descriptor(): number {
    const { fd } = this.options;
    if (typeof fd === 'number') return fd;
    if (!this.isWriting || this.usedFd === undefined) this.usedFd = fd();
    return this.usedFd;
  }

  private take(): Buffer {
    clearTimeout(this.timer);
    this.timer = undefined;
    const bytes = Buffer.concat(this.held, this.heldBytes);
    this.held = [];
    this.heldBytes = 0;
    return bytes;
  }

  private giveBack(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.held.unshift(bytes);
    this.heldBytes += bytes.length;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
