/** One ruby.wasm in this thread. Nothing may call into it while it is already running: its collector would lose sight of objects. */

import { unsupported, Wasi, type WasiOptions } from './wasi.ts';
import { type WasmFunction, type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts';

/** Names as the module exports them. */
const INITIALIZE = 'ruby-init: func(args: list<string>) -> ()';
const EVALUATE = 'rb-eval-string-protect: func(str: string) -> tuple<handle<rb-abi-value>, s32>';
const ALLOCATE = 'cabi_realloc';

export class RubyInstance {
  readonly wasi: Wasi;
  readonly memory: WasmMemory;
  private readonly exports: Readonly<Record<string, WasmFunction | WasmMemory>>;

  /** Ruby itself is not initialised yet: by `boot`, or by putting back the memory of one that is. */
  constructor(module: WasmModule, options: WasiOptions) {
    this.wasi = new Wasi(options);
    const { Instance, Module } = webAssembly();
    const imports = importsOf(Module.imports(module), this.wasi);
    this.exports = new Instance(module, imports).exports;
    const { memory } = this.exports;
    if (memory === undefined || typeof memory === 'function') throw new Error('ruby.wasm exports no memory');
    this.memory = memory;
    this.wasi.attach(memory);
  }

  /** @param args - a command line, with the name of the program */
  boot(args: readonly string[]): void {
    this.call('_initialize');
    const { memory } = this.wasi;
    const list = this.call(ALLOCATE, 0, 0, 4, args.length * 8);
    for (const [index, text] of args.entries()) {
      // Ruby takes them for strings of C.
      const [start, count] = this.place(`${text}\0`);
      memory.setNumber(list + 8 * index, start);
      memory.setNumber(list + 8 * index + 4, count);
    }
    this.call(INITIALIZE, list, args.length);
  }

  /** @returns whether the code has run to its end; its errors are its own business */
  evaluate(code: string): boolean {
    const [start, count] = this.place(code);
    const result = this.call(EVALUATE, start, count);
    return this.wasi.memory.view.getInt32(result + 4, true) === 0;
  }

  private place(text: string): readonly [start: number, count: number] {
    const encoded = Buffer.from(text);
    const start = this.call(ALLOCATE, 0, 0, 1, encoded.length);
    this.wasi.memory.bytes.set(encoded, start);
    return [start, encoded.length];
  }

  private call(name: string, ...args: readonly number[]): number {
    const found = this.exports[name];
    if (typeof found !== 'function') throw new Error(`ruby.wasm exports no ${name}`);
    return found(...args);
  }
}

/** The system interface and references to Ruby's objects; no access to JavaScript. */
function importsOf(
  wanted: readonly { readonly module: string; readonly name: string }[],
  wasi: Wasi,
): Readonly<Record<string, Readonly<Record<string, WasmFunction>>>> {
  const objects: number[] = [];
  const known: Readonly<Record<string, Readonly<Record<string, WasmFunction>>>> = {
    wasi_snapshot_preview1: wasi.imports,
    canonical_abi: {
      'resource_new_rb-abi-value': (object) => objects.push(Number(object)) - 1,
      'resource_get_rb-abi-value': (index) => objects[Number(index)] ?? 0,
    },
  };
  const imports: Record<string, Record<string, WasmFunction>> = {};
  for (const { module, name } of wanted) {
    const missing = module === 'wasi_snapshot_preview1' ? unsupported : () => noJavaScript(name);
    (imports[module] ??= {})[name] = known[module]?.[name] ?? missing;
  }
  return imports;
}

function noJavaScript(name: string): never {
  throw new Error(`Ruby code reaches for JavaScript: ${name}`);
}
