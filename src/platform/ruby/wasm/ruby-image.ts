/**
 * A Ruby that has started, as memory: what instances begin with. Starting Ruby and loading the shim takes about a second, putting
 * back what that has changed in memory a few milliseconds.
 */

import { readdirSync } from 'node:fs';
import type { ByteStream } from './open-files.ts';
import { RubyInstance } from './ruby-instance.ts';
import { standardStreams } from './standard-streams.ts';
import { WASM_PAGE_BYTES, type WasmModule } from './web-assembly.ts';

/** Can be sent to other threads, which share it. */
export interface RubyImage {
  readonly module: WasmModule;
  readonly memoryPages: number;
  /** Numbers of the blocks of memory that differ from those of a new instance. */
  readonly blocks: Uint32Array<SharedArrayBuffer>;
  /** What is in them, in the same order. */
  readonly contents: Uint8Array<SharedArrayBuffer>;
  /** What Ruby was told when it started: descriptors count on it. */
  readonly directories: readonly string[];
}

const BLOCK_BYTES = 4096;

const ARGUMENTS = [
  'ruby',
  // Each of them takes longer to load than Ruby itself.
  '--disable=gems,did_you_mean,error_highlight,syntax_suggest,rubyopt',
  '-EUTF-8',
  '-e_=0',
];

/** Where the module brings files of its own, which hide those of the machine. */
const OWN_FILES = ['/usr', '/usr/local', '/usr/local/lib', '/usr/local/lib/ruby'];

/**
 * Starts Ruby in this thread, which takes about a second, and keeps what has become of it.
 *
 * @param load - code that every instance needs
 */
export function makeImage(module: WasmModule, load: string): RubyImage {
  const directories = readableDirectories();
  const instance = new RubyInstance(module, {
    environment: ['LANG=C.UTF-8'],
    standard: standardStreams(),
    directories,
    streams: new Map(),
  });
  const fresh = Uint8Array.from(new Uint8Array(instance.memory.buffer));
  instance.boot(ARGUMENTS);
  if (!instance.evaluate(load)) throw new Error('the code that every Ruby needs cannot be loaded');
  if (!instance.wasi.files.isAsAtFirst) throw new Error('the code that every Ruby needs leaves files open');
  return { module, directories, ...difference(fresh, new Uint8Array(instance.memory.buffer)) };
}

/** @param streams - what code finds under these paths */
export function instanceOf(image: RubyImage, streams: ReadonlyMap<string, ByteStream>): RubyInstance {
  const { blocks, contents, directories, memoryPages, module } = image;
  const instance = new RubyInstance(module, {
    environment: [],
    standard: standardStreams(),
    directories,
    streams,
  });
  instance.memory.grow(memoryPages - instance.memory.buffer.byteLength / WASM_PAGE_BYTES);
  const bytes = new Uint8Array(instance.memory.buffer);
  let index = 0;
  while (index < blocks.length) {
    const first = blocks[index] ?? 0;
    let count = 1;
    while (blocks[index + count] === first + count) count += 1;
    const run = contents.subarray(index * BLOCK_BYTES, (index + count) * BLOCK_BYTES);
    bytes.set(run, first * BLOCK_BYTES);
    index += count;
  }
  return instance;
}

/** @param fresh - the memory of a new instance; beyond it everything is zero */
function difference(
  fresh: Uint8Array,
  used: Uint8Array,
): Pick<RubyImage, 'blocks' | 'contents' | 'memoryPages'> {
  const zero = Buffer.alloc(BLOCK_BYTES);
  const changed: number[] = [];
  for (let start = 0; start < used.length; start += BLOCK_BYTES) {
    const before = start < fresh.length ? fresh.subarray(start, start + BLOCK_BYTES) : zero;
    if (Buffer.compare(before, used.subarray(start, start + BLOCK_BYTES)) !== 0)
      changed.push(start / BLOCK_BYTES);
  }
  const blocks = new Uint32Array(new SharedArrayBuffer(changed.length * 4));
  const contents = new Uint8Array(new SharedArrayBuffer(changed.length * BLOCK_BYTES));
  blocks.set(changed);
  for (const [index, block] of changed.entries())
    contents.set(used.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES), index * BLOCK_BYTES);
  return { blocks, contents, memoryPages: used.length / WASM_PAGE_BYTES };
}

/** Everything: the longest name that fits decides, so what lies beside the module's own files is named, too. */
function readableDirectories(): readonly string[] {
  const beside = OWN_FILES.slice(0, -1).flatMap((parent) =>
    directoriesIn(parent).filter((path) => !OWN_FILES.includes(path)),
  );
  return ['/', ...beside];
}

function directoriesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => !entry.isFile())
      .map(({ name }) => `${parent}/${name}`);
  } catch {
    // There is none, or none that we may read.
    return [];
  }
}
