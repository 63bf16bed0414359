/** JSON in, values out: facts, parameters of a classifier, exported resources. */

import { Float, isArray, PuppetHash, stringify, type Value } from '../pcore/index.ts';
import type { Json } from './compile-request.ts';

/** A number without a fraction is an Integer: JSON parsed by JavaScript does not tell `1.0` from `1`. */
export function fromJson(json: Json): Value {
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json : new Float(json);
  if (isList(json)) return json.map(fromJson);
  const hash = new PuppetHash();
  for (const [key, value] of Object.entries(json)) hash.set(key, fromJson(value));
  return hash;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

/** The JSON of plain data; everything else as text. */
export function toJson(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (value instanceof Float) return value.value;
  if (isArray(value)) return value.map(toJson);
  if (!(value instanceof PuppetHash)) return stringify(value);
  return Object.fromEntries([...value].map(([key, item]) => [stringify(key), toJson(item)]));
}
