/** Values of Ruby in a form that travels between threads and as JSON: both have no symbols. */

import { Float, isArray, PuppetHash, type Value } from '../../../language/pcore/index.ts';
import { giveUp, RubySymbol } from '../../../language/ruby/index.ts';
import type { ModuleArgument } from '../modules/module-argument.ts';

export type EncodedValue =
  | string
  | number
  | boolean
  | null
  | { readonly symbol: string }
  | { readonly array: readonly EncodedValue[] }
  | { readonly hash: readonly (readonly [EncodedValue, EncodedValue])[] };

/** @throws GiveUp for what modules have no use for */
export function encodeValue(value: Value): EncodedValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (value instanceof RubySymbol) return { symbol: value.name };
  if (value instanceof Float) return value.value;
  if (isArray(value)) return { array: value.map(encodeValue) };
  if (value instanceof PuppetHash)
    return { hash: Array.from(value, ([key, item]) => [encodeValue(key), encodeValue(item)] as const) };
  return giveUp('such an argument of a module');
}

export function decodeValue(value: EncodedValue): ModuleArgument {
  if (value === null || typeof value !== 'object') return value;
  if ('symbol' in value) return Symbol.for(value.symbol);
  if ('array' in value) return value.array.map(decodeValue);
  return new Map(value.hash.map(([key, item]) => [decodeValue(key), decodeValue(item)]));
}
