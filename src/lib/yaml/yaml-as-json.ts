/** YAML values as JSON text in which `1.0` stays told apart from `1`. */

import { stringOfBytes } from '../json-bytes.ts';
import { isYamlList, isYamlMap, YamlBinary, YamlFloat, YamlSymbol, type YamlValue } from './value.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Symbols and keys become text.
 *
 * @throws YamlError for a key that has a map with such a key in it: each level doubles what has to be escaped
 */
export function yamlAsJson(value: YamlValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof YamlFloat) return floatText(value.value);
  if (value instanceof YamlSymbol) return JSON.stringify(value.name);
  if (value instanceof YamlBinary) return JSON.stringify(stringOfBytes(value.bytes));
  if (isYamlList(value)) return `[${value.map(yamlAsJson).join(',')}]`;
  if (!isYamlMap(value)) throw new TypeError('not a YAML value');
  const parts = Array.from(value, ([key, item]) => `${JSON.stringify(keyText(key))}:${yamlAsJson(item)}`);
  return `{${parts.join(',')}}`;
}

function keyText(key: YamlValue): string {
  if (typeof key === 'string') return key;
  if (key instanceof YamlSymbol) return key.name;
  if (key !== null && hasComplexKey(key))
    throw new YamlError('value', 'a key may not contain a map whose keys are lists or maps');
  return key === null ? '' : yamlAsJson(key);
}

/** Whether there is a map in it with a list or a map for a key. */
function hasComplexKey(value: YamlValue): boolean {
  if (isYamlList(value)) return value.some(hasComplexKey);
  if (!isYamlMap(value)) return false;
  return Array.from(value).some(([key, item]) => isYamlList(key) || isYamlMap(key) || hasComplexKey(item));
}

/** JSON has no words for what is not finite. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
