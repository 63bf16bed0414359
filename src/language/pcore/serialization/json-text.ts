import { fault } from '../fault.ts';
import { Float, isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { rubyFloat } from '../values/float-text.ts';

/** Data as the objects of JavaScript; floats stay `Float`, large integers `bigint`. */
export type RichData =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly RichData[]
  | { readonly [key: string]: RichData };

/**
 * The JSON text of data, keys in their order, floats with a point.
 *
 * @throws PuppetError for values beyond Data, and for infinite numbers
 */
export function renderJson(data: Value): string {
  if (data === null || typeof data === 'boolean' || isInteger(data)) return String(data);
  if (typeof data === 'string') return JSON.stringify(data);
  if (data instanceof Float) {
    if (!Number.isFinite(data.value)) throw fault(`${rubyFloat(data.value)} not allowed in JSON`);
    return rubyFloat(data.value);
  }
  if (isArray(data)) return `[${data.map(renderJson).join(',')}]`;
  if (!(data instanceof PuppetHash)) throw fault('only data can be rendered as JSON');
  const entries = [...data].map(([key, value]) => `${JSON.stringify(String(key))}:${renderJson(value)}`);
  return `{${entries.join(',')}}`;
}

/** Data as plain objects. Keys that look like array indices come first, as JavaScript has it. */
export function toPlainData(data: Value): RichData {
  if (isArray(data)) return data.map(toPlainData);
  if (data instanceof PuppetHash) {
    return Object.fromEntries([...data].map(([key, value]) => [String(key), toPlainData(value)]));
  }
  if (data === null || typeof data !== 'object' || data instanceof Float) return data;
  throw fault('only data can be rendered as JSON');
}
