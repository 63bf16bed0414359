/** Where the image of a started Ruby comes from. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_MEMORY_BYTES } from '../ruby-process.ts';
import { shimDirectory } from '../shim-directory.ts';
import { withMemory } from './memory-limit.ts';
import { makeImage, type RubyImage } from './ruby-image.ts';
import { moveStackBuffers, STACK_BUFFER_PAGES } from './stack-buffers.ts';
import { wasmFiles } from './wasm-files.ts';
import { WASM_PAGE_BYTES, webAssembly } from './web-assembly.ts';

export interface RubyImages {
  /** Waits for it. @throws Error when there is none, which says why */
  get(): RubyImage;
}

/** Made in this thread, once: about a second. */
export class OwnRubyImages implements RubyImages {
  private readonly memoryBytes: number;
  private known: RubyImage | undefined;

  /** @param memoryBytes - what one instance may have */
  constructor(memoryBytes: number = DEFAULT_MEMORY_BYTES) {
    this.memoryBytes = memoryBytes;
  }

  get(): RubyImage {
    this.known ??= imageOf(this.memoryBytes);
    return this.known;
  }
}

function imageOf(memoryBytes: number): RubyImage {
  const { bytes, extraStart } = withMemory(readFileSync(wasmFiles().module), {
    maximumPages: Math.floor(memoryBytes / WASM_PAGE_BYTES),
    extraPages: STACK_BUFFER_PAGES,
  });
  moveStackBuffers(bytes, extraStart);
  const { Module } = webAssembly();
  return makeImage(new Module(bytes), `load(${rubyText(join(shimDirectory(), 'wasm.rb'))})`);
}

function rubyText(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
