/** Values of Ruby in a form that travels between threads and as JSON: both have no symbols. */

import { isArray, isHash, type RubyValue } from './ruby-value.ts';

export type EncodedValue =
  | string
  | number
  | boolean
  | null
  | { readonly symbol: string }
  | { readonly array: readonly EncodedValue[] }
  | { readonly hash: readonly (readonly [EncodedValue, EncodedValue])[] };

export function encodeValue(value: RubyValue): EncodedValue {
  if (typeof value === 'symbol') return { symbol: value.description ?? '' };
  if (isArray(value)) return { array: value.map(encodeValue) };
  if (isHash(value))
    return { hash: Array.from(value, ([key, item]) => [encodeValue(key), encodeValue(item)] as const) };
  return value;
}

export function decodeValue(value: EncodedValue): RubyValue {
  if (value === null || typeof value !== 'object') return value;
  if ('symbol' in value) return Symbol.for(value.symbol);
  if ('array' in value) return value.array.map(decodeValue);
  return new Map(value.hash.map(([key, item]) => [decodeValue(key), decodeValue(item)]));
}
