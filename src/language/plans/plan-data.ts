/** Plain data of plans: to and from JSON, and as text. */

import type { Json } from '../../lib/json.ts';
import { Float, isArray, isInteger, PuppetHash, plainText, renderJson, type Value } from '../pcore/index.ts';

/** Values of JSON, whose numbers without a fraction are integers. */
export function valueOfJson(json: Json): Value {
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json : new Float(json);
  if (isList(json)) return json.map(valueOfJson);
  return new PuppetHash(Object.entries(json).map(([key, value]) => [key, valueOfJson(value)] as const));
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function hashOfJson(json: Readonly<Record<string, Json>>): PuppetHash {
  return new PuppetHash(Object.entries(json).map(([key, value]) => [key, valueOfJson(value)] as const));
}

/** JSON of plain data; everything else as text. */
export function jsonOfData(value: Value): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (isInteger(value)) return Number(value);
  if (value instanceof Float) return value.value;
  if (isArray(value)) return value.map(jsonOfData);
  if (value instanceof PuppetHash)
    return Object.fromEntries([...value].map(([key, item]) => [plainText(key), jsonOfData(item)]));
  return plainText(value);
}

/** The JSON text of data, on one line. */
export function dataText(value: Value): string {
  return renderJson(plainData(value));
}

/** The value with text in place of all that is no data. */
function plainData(value: Value): Value {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isArray(value)) return value.map(plainData);
  if (!(value instanceof PuppetHash)) return plainText(value);
  return new PuppetHash([...value].map(([key, item]) => [plainText(key), plainData(item)] as const));
}
