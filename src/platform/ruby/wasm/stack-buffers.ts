/**
 * WebAssembly hides its stack. When Ruby's collector has to see what is on it, and when an error is raised, Ruby unwinds
 * its calls into a buffer (Binaryen's "asyncify"). There are two of them, of 24 KiB each, which some 70 blocks
 * within blocks fill; and what lies behind them is written over before anybody notices. Here the module is told to use
 * larger ones, behind which there is nothing.
 *
 * The third kind of buffer is part of each jump buffer on the stack, and stays: code that is in the middle of several
 * hundred calls cannot raise. That ends Ruby, and the call with it.
 *
 * @see `wasm/machine.c` and `wasm/setjmp.c` of Ruby: `rb_wasm_scan_locals`, `_rb_wasm_longjmp`
 */

import { WASM_PAGE_BYTES } from './web-assembly.ts';

/** Of each; the collector looks through all of the first. */
const BUFFER_BYTES = 2 * WASM_PAGE_BYTES;
export const STACK_BUFFER_PAGES = (2 * BUFFER_BYTES) / WASM_PAGE_BYTES;

const CONSTANT = 0x41;
const STORE = [0x36, 0x02, 0x00];

/** Addresses of the module as it is: a buffer is `{top, end}` and then its bytes. */
const BUFFERS = [
  { top: 21_123_552, start: 21_123_560, end: 21_148_136 },
  { top: 21_148_156, start: 21_148_164, end: 21_172_740 },
];

/**
 * Changes the module.
 *
 * @param start - of memory that is not used otherwise, `STACK_BUFFER_PAGES` long
 * @throws Error when it is not the module for which this was made
 */
export function moveStackBuffers(module: Uint8Array, start: number): void {
  for (const [index, { end, start: before, top }] of BUFFERS.entries()) {
    const code = Buffer.from(initialisation(top, before, end));
    const place = Buffer.from(module.buffer, module.byteOffset, module.length).indexOf(code);
    if (place < 0) throw new Error('ruby.wasm is another version than the one that is known here');
    const moved = start + index * BUFFER_BYTES;
    module.set(initialisation(top, moved, moved + BUFFER_BYTES), place);
  }
}

/** `buffer.end = end; buffer.top = start` as the compiler has written it. */
function initialisation(top: number, start: number, end: number): readonly number[] {
  return [...storing(top + 4, end), ...storing(top, start)];
}

function storing(address: number, value: number): readonly number[] {
  return [CONSTANT, ...signed(address), CONSTANT, ...signed(value), ...STORE];
}

/** LEB128 of four bytes: all of these addresses have as many. */
function signed(address: number): readonly number[] {
  return [0, 7, 14, 21].map((shift) => ((address >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
}
