/** The memory of an instance, as calls of the system interface see it: little-endian, strings with a length. */

import type { WasmMemory } from './web-assembly.ts';

export class GuestMemory {
  private readonly memory: WasmMemory;
  private knownView: DataView;
  private knownBytes: Uint8Array<ArrayBuffer>;

  constructor(memory: WasmMemory) {
    this.memory = memory;
    this.knownView = new DataView(memory.buffer);
    this.knownBytes = new Uint8Array(memory.buffer);
  }

  /** Good until memory grows: not to be kept. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.memory;
    if (this.knownBytes.buffer !== buffer) this.knownBytes = new Uint8Array(buffer);
    return this.knownBytes;
  }

  /** Good until memory grows: not to be kept. */
  get view(): DataView {
    const { buffer } = this.memory;
    if (this.knownView.buffer !== buffer) this.knownView = new DataView(buffer);
    return this.knownView;
  }

  slice(start: number, count: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(start, start + count);
  }

  text(start: number, count: number): string {
    return Buffer.from(this.memory.buffer, start, count).toString('utf8');
  }

  setNumber(at: number, value: number): void {
    this.view.setUint32(at, value, true);
  }

  setLong(at: number, value: bigint): void {
    this.view.setBigUint64(at, value, true);
  }

  /** The buffers of a call that reads or writes several. */
  vectors(start: number, count: number): readonly Uint8Array<ArrayBuffer>[] {
    const { view } = this;
    return Array.from({ length: count }, (_, index) => {
      const at = start + 8 * index;
      return this.slice(view.getUint32(at, true), view.getUint32(at + 4, true));
    });
  }

  /** Texts with a zero at the end, one after the other, and the addresses of all. */
  setTexts(addresses: number, start: number, texts: readonly string[]): void {
    let at = start;
    for (const [index, text] of texts.entries()) {
      this.setNumber(addresses + 4 * index, at);
      const encoded = Buffer.from(`${text}\0`);
      this.bytes.set(encoded, at);
      at += encoded.length;
    }
  }
}
