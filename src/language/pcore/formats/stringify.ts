import { PuppetType } from '../puppet-type.ts';
import { isArray, PuppetHash, type Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { plainText } from './plain-text.ts';

/** A value as `"${value}"` shows it. */
export function stringify(value: Value): string {
  if (typeof value === 'string') return value;
  if (isArray(value)) return `[${value.map(stringify).join(', ')}]`;
  if (value instanceof PuppetHash) {
    return `{${[...value].map(([key, item]) => `${stringify(key)} => ${stringify(item)}`).join(', ')}}`;
  }
  if (value instanceof RegexpValue) return value.toLiteral();
  return value instanceof PuppetType ? value.toString() : plainText(value);
}
