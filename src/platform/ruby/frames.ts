/** Messages over blocking descriptors: a length (32 bits, little-endian), then text in UTF-8. */

import { readSync, writeSync } from 'node:fs';

const HEAD_BYTES = 4;
const INITIAL_BYTES = 64 * 1024;

export class FrameReader {
  private readonly descriptor: number;
  private buffer = Buffer.allocUnsafe(INITIAL_BYTES);

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Waits for the next message. @returns `undefined` when the other side has gone */
  read(): string | undefined {
    // The sides take turns: there is never more than one message under way.
    let filled = this.fill(0, HEAD_BYTES);
    if (filled < HEAD_BYTES) return undefined;
    const end = HEAD_BYTES + this.buffer.readUInt32LE(0);
    if (end > this.buffer.length) this.grow(end, filled);
    filled = this.fill(filled, end);
    if (filled < end) return undefined;
    const text = this.buffer.toString('utf8', HEAD_BYTES, end);
    if (this.buffer.length > INITIAL_BYTES) this.buffer = Buffer.allocUnsafe(INITIAL_BYTES);
    return text;
  }

  private fill(from: number, until: number): number {
    let filled = from;
    while (filled < until) {
      const count = readSync(this.descriptor, this.buffer, filled, this.buffer.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  private grow(size: number, filled: number): void {
    const larger = Buffer.allocUnsafe(size);
    this.buffer.copy(larger, 0, 0, filled);
    this.buffer = larger;
  }
}

/** @throws the system's error, `EPIPE` when the other side has gone */
export function writeFrame(descriptor: number, text: string): void {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + size);
  frame.writeUInt32LE(size, 0);
  frame.write(text, HEAD_BYTES);
  let written = 0;
  while (written < frame.length) written += writeSync(descriptor, frame, written);
}
