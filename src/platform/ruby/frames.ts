/** Messages as bytes: a length (32 bits, little-endian), then text in UTF-8. */

const HEAD_BYTES = 4;
const INITIAL_BYTES = 64 * 1024;

/** Waits for bytes and puts them at the start of `target`. @returns how many; 0 when no more will come */
export type ByteSource = (target: Uint8Array) => number;

export class FrameReader {
  private readonly source: ByteSource;
  private buffer = Buffer.allocUnsafe(INITIAL_BYTES);

  constructor(source: ByteSource) {
    this.source = source;
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
      const count = this.source(filled === 0 ? this.buffer : this.buffer.subarray(filled));
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

export function frameOf(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + size);
  frame.writeUInt32LE(size, 0);
  frame.write(text, HEAD_BYTES);
  return frame;
}
