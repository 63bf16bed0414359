/** `Puppet::LookupContext`: what a backend gets as its last argument. */

import {
  IteratorValue,
  isArray,
  OpaqueValue,
  PuppetHash,
  type PuppetType,
  parseType,
  type Value,
} from '../pcore/index.ts';
import type { HieraFiles } from './hiera-files.ts';
import { LookupContextType } from './lookup-context-type.ts';
import { LookupArgumentError } from './lookup-error.ts';
import type { LookupBlock } from './lookup-request.ts';

/** Thrown by `not_found()`: ends the backend's function, whatever it was doing. */
export class KeyNotFound {
  // No `Error`: it is thrown for most keys, and its stack is not needed.
  readonly message = 'no such key';
}

/** No value: what a backend may return instead of throwing `KeyNotFound`, where the lookup itself has called it. */
class NoSuchKey extends OpaqueValue {
  override equalityKey(): string {
    return 'NoSuchKey';
  }
}

export const NO_SUCH_KEY = new NoSuchKey();

/** Values that a backend keeps for one location, as long as the compile lasts. */
export class BackendCache {
  readonly entries = new PuppetHash();
}

export interface LookupContextParts {
  readonly environmentName: string;
  readonly moduleName: string | undefined;
  readonly cache: BackendCache;
  readonly files: HieraFiles;
  readonly interpolate: (value: Value) => Value;
  /** Absent when there is no listener. */
  readonly explain: ((text: string) => void) | undefined;
}

type Method = (parts: LookupContextParts, args: readonly Value[], block: LookupBlock | undefined) => Value;

/**
 * An instance of the type `Puppet::LookupContext`. Method calls (`$context.cache(key, value)`) go to `callMethod`,
 * for functions in the Puppet language and in Ruby alike.
 */
export class LookupContext extends OpaqueValue {
  private readonly parts: LookupContextParts;

  constructor(parts: LookupContextParts) {
    super();
    this.parts = parts;
  }

  /** The names that `callMethod` takes. */
  static hasMethod(name: string): boolean {
    return METHODS.has(name);
  }

  /** @throws KeyNotFound for `not_found`, PuppetError for an unknown method */
  callMethod(name: string, args: readonly Value[], block?: LookupBlock): Value {
    const method = METHODS.get(name);
    if (method === undefined) throw new LookupArgumentError(`Unknown function: '${name}'.`);
    return method(this.parts, args, block);
  }

  override inferType(): PuppetType {
    return LOOKUP_CONTEXT_TYPE;
  }

  override equalityKey(): string {
    return `Puppet::LookupContext:${this.parts.environmentName}:${this.parts.moduleName ?? ''}`;
  }

  override toString(): string {
    const module = this.parts.moduleName;
    return `Puppet::LookupContext({'module_name' => ${module === undefined ? 'undef' : `'${module}'`}})`;
  }
}

/** What `Puppet::LookupContext` means as the type of a parameter. */
export const LOOKUP_CONTEXT_TYPE: PuppetType = new LookupContextType(
  (value): value is LookupContext => value instanceof LookupContext,
);

/** What `cached_entries` goes through. */
const ENTRY_TYPE: PuppetType = parseType('Tuple[Optional[Scalar], Any]');

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['environment_name', ({ environmentName }) => environmentName],
  ['module_name', ({ moduleName }) => moduleName ?? null],
  [
    'not_found',
    () => {
      throw new KeyNotFound();
    },
  ],
  ['explain', explain],
  ['interpolate', ({ interpolate }, [value = null]) => interpolate(value)],
  [
    'cache',
    ({ cache }, [key = null, value = null]) => {
      cache.entries.set(key, value);
      return value;
    },
  ],
  ['cache_all', cacheAll],
  ['cache_has_key', ({ cache }, [key = null]) => cache.entries.has(key)],
  ['cached_value', ({ cache }, [key = null]) => cache.entries.get(key) ?? null],
  ['cached_entries', cachedEntries],
  ['cached_file_data', cachedFileData],
]);

function explain(parts: LookupContextParts, _args: readonly Value[], block: LookupBlock | undefined): Value {
  if (parts.explain !== undefined && block !== undefined) parts.explain(String(block.call([])));
  return null;
}

function cacheAll({ cache }: LookupContextParts, [hash = null]: readonly Value[]): Value {
  if (hash instanceof PuppetHash) for (const [key, value] of hash) cache.entries.set(key, value);
  return null;
}

/** With a block each entry is given to it, otherwise all are the result: what iterates over it gets keys and values. */
function cachedEntries(
  { cache }: LookupContextParts,
  _args: readonly Value[],
  block: (LookupBlock & { readonly maxParameters?: number }) | undefined,
): Value {
  const entries = Array.from(cache.entries, ([key, value]): Value => [key, value]);
  if (block === undefined) return new IteratorValue(ENTRY_TYPE, () => entries, true);
  for (const entry of entries) block.call(block.maxParameters === 1 || !isArray(entry) ? [entry] : entry);
  return null;
}

function cachedFileData(
  { files }: LookupContextParts,
  [path = null]: readonly Value[],
  block: LookupBlock | undefined,
): Value {
  const text = files.text(String(path));
  return block === undefined ? text : block.call([text]);
}
