/** JSON in, values out: facts, parameters of a classifier, exported resources. */

import { bytesOfString } from '../../lib/json-bytes.ts';
import { parseFragile } from '../../lib/raw-json.ts';
import { ByteString, Float, isArray, PuppetHash, stringify, type Value } from '../pcore/index.ts';
import type { ExactJson } from './compile-request.ts';

/** A number without a fraction is an Integer: JSON parsed by JavaScript does not tell `1.0` from `1`. */
export function fromJson(json: ExactJson): Value {
  if (json === null || typeof json === 'boolean') return json;
  if (typeof json === 'string') return textOrBytes(json);
  if (typeof json === 'number') return Number.isSafeInteger(json) ? json : new Float(json);
  if (typeof json === 'bigint' || json instanceof Float) return json;
  if (isList(json)) return json.map(fromJson);
  const hash = new PuppetHash();
  for (const [key, value] of Object.entries(json)) hash.set(textOrBytes(key), fromJson(value));
  return hash;
}

/** JSON text whose numbers keep their form: `4096.0` is a Float, an integer may have any size. */
export function parseExactJson(text: string): ExactJson {
  return parseFragile(text, exactNumber) as ExactJson;
}

function exactNumber(source: string): ExactJson {
  const value = Number(source);
  if (/[.eE]/.test(source)) return new Float(value);
  return Number.isSafeInteger(value) ? value : BigInt(source);
}

/** Facts as the reference gives them to a node: what is `null` inside is an empty string there. */
export function factsHash(facts: Readonly<Record<string, ExactJson>>): PuppetHash {
  return new PuppetHash(
    Object.entries(facts).map(([key, value]) => [textOrBytes(key), fromFact(value)] as const),
  );
}

function fromFact(json: ExactJson): Value {
  if (json === null) return '';
  if (typeof json !== 'object' || json instanceof Float) return fromJson(json);
  return isList(json) ? json.map(fromFact) : factsHash(json);
}

/** Bytes that are not UTF-8 reach the agent as they are. @see jsonText */
function textOrBytes(text: string): string | ByteString {
  const bytes = bytesOfString(text);
  return bytes === undefined ? text : ByteString.fromBytes(bytes);
}

function isList(json: ExactJson): json is readonly ExactJson[] {
  return Array.isArray(json);
}

/** The JSON of plain data; everything else as text. */
export function toExactJson(value: Value): ExactJson {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (isArray(value)) return value.map(toExactJson);
  if (!(value instanceof PuppetHash)) return stringify(value);
  return Object.fromEntries([...value].map(([key, item]) => [stringify(key), toExactJson(item)]));
}
