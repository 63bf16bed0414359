/** How much memory a module has at first and may ask for is written in the module. */

import { WASM_PAGE_BYTES } from './web-assembly.ts';

const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const HAS_MAXIMUM = 1;

/** In pages of 64 KiB. */
export interface MemoryChange {
  /** Beyond it Ruby is told that there is no memory, and raises. */
  readonly maximumPages: number;
  /** More memory at first, after what the module knows of: it never gives that to anybody. */
  readonly extraPages: number;
}

/**
 * The same module with another memory.
 *
 * @param bytes - a binary module that has one memory of its own
 * @returns the module, and where the extra pages begin
 * @see WebAssembly specification, "Memory Section"
 */
export function withMemory(
  bytes: Uint8Array,
  { extraPages, maximumPages }: MemoryChange,
): { readonly bytes: Uint8Array; readonly extraStart: number } {
  const found = findSection(bytes, MEMORY_SECTION);
  if (found === undefined) throw new Error('the module has no memory of its own');
  // One memory: how many there are, flags, the least number of pages.
  const [own] = readUnsigned(bytes, found.content + 2);
  const minimum = own + extraPages;
  const section = [1, HAS_MAXIMUM, ...unsigned(minimum), ...unsigned(Math.max(minimum, maximumPages))];
  const head = [MEMORY_SECTION, ...unsigned(section.length)];
  const changed = new Uint8Array(found.start + head.length + section.length + bytes.length - found.end);
  changed.set(bytes.subarray(0, found.start));
  changed.set([...head, ...section], found.start);
  changed.set(bytes.subarray(found.end), found.start + head.length + section.length);
  return { bytes: changed, extraStart: own * WASM_PAGE_BYTES };
}

interface Section {
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

function findSection(bytes: Uint8Array, id: number): Section | undefined {
  let start = HEADER_BYTES;
  while (start < bytes.length) {
    const [size, content] = readUnsigned(bytes, start + 1);
    if (bytes[start] === id) return { start, content, end: content + size };
    start = content + size;
  }
  return undefined;
}

/** LEB128. @returns the number, and where the next begins */
function readUnsigned(bytes: Uint8Array, start: number): readonly [value: number, end: number] {
  let value = 0;
  let scale = 1;
  let at = start;
  for (;;) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at];
    scale *= 0x80;
  }
}

function unsigned(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}
