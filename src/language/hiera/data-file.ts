/** Data files as values: YAML, JSON and HOCON. */

import { HoconError, type HoconValue, parseHoconValue } from '../../lib/hocon/index.ts';
import { jsonText } from '../../lib/json-bytes.ts';
import {
  decodeYaml,
  isYamlList,
  isYamlMap,
  parseYaml,
  YamlBinary,
  YamlError,
  YamlFloat,
  YamlSymbol,
  type YamlValue,
} from '../../lib/yaml/index.ts';
import { ByteString, DEFAULT, Float, integer, PuppetHash, type Value } from '../pcore/index.ts';
import { JsonError, parseJson } from './json-value.ts';
import { LookupError, plainError } from './lookup-error.ts';
import { RubySymbol } from './ruby-symbol.ts';

/** What a file holds; in YAML only a hash can be used, the others are `empty` or something else. */
export type DataFile =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'empty' }
  | { readonly kind: 'other' };

/** The built-in `data_hash` functions. */
export const PLAIN_DATA_FUNCTIONS: ReadonlySet<string> = new Set(['yaml_data', 'json_data', 'hocon_data']);

/** The reader of each built-in function that reads files. @throws LookupError naming the file */
export const DATA_READERS: ReadonlyMap<string, (text: string, path: string) => DataFile> = new Map([
  ['yaml_data', readYaml],
  ['json_data', readJson],
  ['hocon_data', readHocon],
  ['eyaml_lookup_key', readYaml],
]);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a data file; in JSON, bytes that are not UTF-8 are escapes, see `jsonText`.
 *
 * @param reader - the name of the function that reads it
 * @throws LookupError when it is not UTF-8: replacement characters would be silently wrong
 */
export function dataText(bytes: Uint8Array, reader: string, path: string): string {
  const read = DATA_READERS.get(reader);
  if (read === readYaml) return unlessYamlError(() => decodeYaml(bytes), path);
  if (read === readJson) return jsonText(bytes).replace(/^\uFEFF/, '');
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new LookupError(`Unable to parse (${path}): invalid byte sequence in UTF-8`, { cause: error });
  }
}

/** `empty` for a file without a document, or with the document `false`. */
export function readYaml(text: string, path: string): DataFile {
  const value = dataOf(text, path);
  if (value instanceof PuppetHash) return { kind: 'value', value };
  return { kind: value === null || value === false ? 'empty' : 'other' };
}

function dataOf(text: string, path: string): Value {
  return unlessYamlError(() => fromYaml(parseYaml(text), new Map()), path);
}

function unlessYamlError<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new LookupError(`Unable to parse ${error.messageFor(path)}`, { cause: error });
  }
}

/** @throws PuppetError with Ruby's message, for `hiera.yaml` itself */
export function parseYamlFile(
  bytes: Uint8Array,
  path: string,
): { readonly text: string; readonly value: Value } {
  try {
    const text = decodeYaml(bytes);
    return { text, value: fromYaml(parseYaml(text), new Map()) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw plainError(error.messageFor(path), error);
  }
}

function readJson(text: string, path: string): DataFile {
  try {
    return { kind: 'value', value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new LookupError(`Unable to parse (${path}): ${error.message}`, { cause: error });
  }
}

function readHocon(text: string, path: string): DataFile {
  try {
    return { kind: 'value', value: fromHocon(parseHoconValue(text)) };
  } catch (error) {
    if (!(error instanceof HoconError)) throw error;
    throw new LookupError(`Unable to parse (${path}): ${error.message}`, { cause: error });
  }
}

/** `known` keeps what aliases share one value. */
function fromYaml(value: YamlValue, known: Map<object, Value>): Value {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? integer(value) : value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const converted = fromYamlObject(value, known);
  known.set(value, converted);
  return converted;
}

function fromYamlObject(value: YamlValue & object, known: Map<object, Value>): Value {
  if (value instanceof YamlFloat) return new Float(value.value);
  if (value instanceof YamlSymbol) return value.name === 'default' ? DEFAULT : new RubySymbol(value.name);
  if (value instanceof YamlBinary) return ByteString.fromBytes(value.bytes);
  if (isYamlList(value)) return value.map((item) => fromYaml(item, known));
  if (!isYamlMap(value)) return null;
  const hash = new PuppetHash();
  for (const [key, item] of value) {
    hash.set(key instanceof YamlSymbol ? key.name : fromYaml(key, known), fromYaml(item, known));
  }
  return hash;
}

function fromHocon(value: HoconValue): Value {
  if (typeof value === 'bigint') return integer(value);
  if (typeof value === 'number') return new Float(value);
  if (value === null || typeof value !== 'object') return value;
  if (!(value instanceof Map)) return Array.isArray(value) ? value.map(fromHocon) : null;
  const hash = new PuppetHash();
  for (const [key, item] of value) hash.set(key, fromHocon(item));
  return hash;
}
