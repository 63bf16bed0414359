/** What `out::message()` and the functions of the log show of a value. */

import { Float, isArray, isInteger, PuppetHash, plainText, renderJson, type Value } from '../pcore/index.ts';
import { ResultSetValue } from './values/result-set-value.ts';
import { ResultValue } from './values/result-value.ts';

/** Text as it is; collections and results as JSON on several lines. */
export function messageText(value: Value): string {
  const shown = formatted(value);
  return isArray(shown) || shown instanceof PuppetHash ? prettyJson(shown, '') : plainText(shown);
}

function formatted(value: Value): Value {
  if (isArray(value)) return value.map(formatted);
  if (value instanceof ResultValue || value instanceof ResultSetValue) return value.toData();
  if (value instanceof PuppetHash)
    return new PuppetHash([...value].map(([key, item]) => [formatted(key), formatted(item)] as const));
  if (value === null || isInteger(value) || value instanceof Float) return value;
  return plainText(value);
}

function prettyJson(value: Value, indent: string): string {
  const inner = `${indent}  `;
  if (isArray(value)) {
    const items = value.map((item) => inner + prettyJson(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (value instanceof PuppetHash) {
    const entries = [...value].map(
      ([key, item]) => `${inner}${JSON.stringify(plainText(key))}: ${prettyJson(item, inner)}`,
    );
    return entries.length === 0 ? '{\n' + indent + '}' : `{\n${entries.join(',\n')}\n${indent}}`;
  }
  return renderJson(value);
}
