/**
 * Messages between two threads that take turns, over shared memory. Who waits sleeps: no event loop takes part.
 *
 * Memory: whose turn it is, how many bytes there are (32 bits each), then the bytes. Both directions use the same
 * bytes, as there is never more than one message under way. A message is a length (32 bits, little-endian), then
 * text in UTF-8; it may come in several pieces.
 */

const TURN = 0;
const COUNT = 1;
const HEAD_WORDS = 2;
const PIECE_BYTES = 256 * 1024;

/** What `TURN` says: nothing is there, something for one of the sides, or one of them has gone. */
const FREE = 0;
const GONE = 3;

/** Also the values of `TURN`. */
export const HOST = 1;
export const GUEST = 2;
export type Side = typeof HOST | typeof GUEST;

export function newChannelMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_WORDS * 4 + PIECE_BYTES);
}

/** One side's end: bytes in order, as a pipe gives them. */
export class ChannelEnd {
  private readonly words: Int32Array<SharedArrayBuffer>;
  private readonly bytes: Uint8Array<SharedArrayBuffer>;
  private readonly side: Side;
  private readonly other: Side;
  /** How much of the piece that is there has been read. */
  private taken = 0;

  constructor(memory: SharedArrayBuffer, side: Side) {
    this.words = new Int32Array(memory, 0, HEAD_WORDS);
    this.bytes = new Uint8Array(memory, HEAD_WORDS * 4);
    this.side = side;
    this.other = side === HOST ? GUEST : HOST;
  }

  /**
   * Waits for bytes, and copies as many as there are or `target` holds.
   *
   * @param deadline - when to give up waiting, as `performance.now()` tells
   * @returns how many; 0 when the other side has gone, or it is too late
   */
  read(target: Uint8Array, deadline?: number): number {
    if (!this.waitWhile((turn) => turn !== this.side, deadline)) return 0;
    const there = this.words[COUNT] ?? 0;
    const count = Math.min(target.length, there - this.taken);
    target.set(this.bytes.subarray(this.taken, this.taken + count));
    this.taken += count;
    if (this.taken === there) {
      this.taken = 0;
      this.turn(FREE);
    }
    return count;
  }

  /** Sends bytes. @returns false when the other side has gone */
  write(parts: readonly Uint8Array[]): boolean {
    let filled = 0;
    for (const part of parts) {
      let from = 0;
      while (from < part.length) {
        if (filled === 0 && !this.waitWhile((turn) => turn !== FREE)) return false;
        const piece = part.subarray(from, from + this.bytes.length - filled);
        this.bytes.set(piece, filled);
        filled += piece.length;
        from += piece.length;
        if (filled === this.bytes.length) {
          this.pass(filled);
          filled = 0;
        }
      }
    }
    if (filled > 0) this.pass(filled);
    return true;
  }

  /** This side has gone. */
  close(): void {
    this.turn(GONE);
  }

  private pass(count: number): void {
    this.words[COUNT] = count;
    // Who has gone stays gone.
    Atomics.compareExchange(this.words, TURN, FREE, this.other);
    Atomics.notify(this.words, TURN);
  }

  private turn(value: number): void {
    if (value === GONE) Atomics.store(this.words, TURN, value);
    else Atomics.compareExchange(this.words, TURN, this.side, value);
    Atomics.notify(this.words, TURN);
  }

  /** @returns false when the other side has gone, or it is too late */
  private waitWhile(isNot: (turn: number) => boolean, deadline?: number): boolean {
    for (;;) {
      const turn = Atomics.load(this.words, TURN);
      if (turn === GONE) return false;
      if (!isNot(turn)) return true;
      const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.words, TURN, turn, left);
    }
  }
}
