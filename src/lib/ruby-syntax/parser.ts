/** Ruby's own parser, prism, as WebAssembly: loaded when the first file is parsed, in the thread that parses. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RubyNode } from './node.ts';

/** Where prism is: in the bundle, or among the installed packages. */
export interface PrismFiles {
  /** The module that exports `parsePrism`: loaded with `require`, because nothing here may wait. */
  readonly script: string;
  readonly wasm: string;
}

export interface RubyProgram {
  readonly root: RubyNode;
  /** The first mistake; `undefined` when the text is valid Ruby. */
  readonly error: { readonly message: string; readonly offset: number } | undefined;
}

interface Location {
  readonly startOffset: number;
  readonly length: number;
}

interface PrismNode {
  toJSON(): Readonly<Record<string, unknown>>;
}

interface PrismResult {
  readonly value: PrismNode;
  readonly errors: readonly { readonly message: string; readonly location: Location }[];
}

type ParsePrism = (wasm: WasmExports, source: string) => PrismResult;

type WasmExports = Readonly<Record<string, unknown>>;
type WasmModule = object;

/** Node has it; its types come with those of browsers only. */
interface WebAssemblyApi {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly { readonly name: string }[];
  };
  readonly Instance: new (module: WasmModule, imports: object) => { readonly exports: WasmExports };
}

const UNAVAILABLE = 52; // WASI's ENOSYS

export class RubyParser {
  private readonly files: PrismFiles;
  private loaded: ((source: string) => PrismResult) | undefined;

  constructor(files: PrismFiles) {
    this.files = files;
  }

  parse(text: string): RubyProgram {
    this.loaded ??= load(this.files);
    const { value, errors } = this.loaded(text);
    const [first] = errors;
    return {
      root: plain(value, new Source(text)) as RubyNode,
      error: first === undefined ? undefined : { message: first.message, offset: first.location.startOffset },
    };
  }
}

function load({ script, wasm }: PrismFiles): (source: string) => PrismResult {
  const { parsePrism } = createRequire(import.meta.url)(script) as { readonly parsePrism: ParsePrism };
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  const module = new WebAssembly.Module(readFileSync(wasm));
  // The parser asks for random numbers once and is content without: it gets nothing of this system.
  const nothing = Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ name }) => [name, () => UNAVAILABLE]),
  );
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: nothing });
  (exports['_initialize'] as () => void)();
  return (source) => parsePrism(exports, source);
}

/** The text, by prism's offsets: those of bytes. */
class Source {
  private readonly text: string;
  private bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  at({ startOffset, length }: Location): string {
    this.bytes ??= Buffer.from(this.text);
    return this.bytes.toString('latin1', startOffset, startOffset + length);
  }
}

/** Drops locations but the beginning, and prism's wrapping of strings. */
function plain(value: unknown, source: Source): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, source));
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value) return plainNode(value as PrismNode, source);
  if ('validEncoding' in value && 'value' in value) return value.value;
  return value;
}

/** This and `plain` are where parsing spends its time beyond prism: half of it with objects that are copied once. */
function plainNode(node: PrismNode, source: Source): RubyNode {
  const json = node.toJSON();
  const location = json['location'] as Location;
  const result: Record<string, unknown> = { kind: json['type'], offset: location.startOffset };
  for (const name in json) {
    if (name === 'type' || name === 'location' || name.endsWith('Loc')) continue;
    const value = json[name];
    result[name] = typeof value === 'object' ? plain(value, source) : value;
  }
  if (json['type'] === 'IntegerNode' && location.length >= SHORTEST_MISREAD)
    result['value'] = integerOf(source.at(location));
  return result as unknown as RubyNode;
}

/** `0x80000000`: prism's JavaScript reads words of 32 bits as if they had a sign. */
const SHORTEST_MISREAD = 10;

/** An integer as Ruby reads it: a number where that is exact. */
function integerOf(literal: string): number | bigint {
  const text = literal.replaceAll('_', '').toLowerCase();
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '').replace(/^0d/, '');
  const octal = /^0o?([0-7]+)$/.exec(digits)?.[1];
  const value = BigInt(octal === undefined ? digits : `0o${octal}`) * (isNegative ? -1n : 1n);
  const exact = Number(value);
  return Number.isSafeInteger(exact) ? exact : value;
}
