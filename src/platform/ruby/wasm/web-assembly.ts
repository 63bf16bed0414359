/** The engine's WebAssembly, as far as it is used here: the types of Node do not describe it. */

/** Compiled code: the same for all threads that it is sent to. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmMemory {
  /** Another one whenever memory has grown. */
  readonly buffer: ArrayBuffer;
  /** @returns how many pages there were */
  grow(pages: number): number;
}

export type WasmFunction = (...args: readonly (number | bigint)[]) => number;

export type WasmImports = Readonly<Record<string, Readonly<Record<string, WasmFunction>>>>;

interface WasmApi {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly { readonly module: string; readonly name: string }[];
  };
  readonly Instance: new (
    module: WasmModule,
    imports: WasmImports,
  ) => { readonly exports: Readonly<Record<string, WasmFunction | WasmMemory>> };
}

export const WASM_PAGE_BYTES = 65_536;

export function webAssembly(): WasmApi {
  return (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;
}
