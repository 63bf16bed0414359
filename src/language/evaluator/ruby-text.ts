/** Values as Ruby prints them, in the messages that simply interpolate one. */

import { DEFAULT, Float, isArray, PuppetHash, stringify, type Value } from '../pcore/index.ts';

/** Ruby's `to_s`: strings as they are, collections with their items inspected. */
export function rubyText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value === DEFAULT) return 'default';
  return isArray(value) || value instanceof PuppetHash ? rubyInspect(value) : stringify(value);
}

/** Ruby's `inspect`. */
export function rubyInspect(value: Value): string {
  if (value === null) return 'nil';
  if (value === DEFAULT) return ':default';
  if (typeof value === 'string') return inspectString(value);
  if (value instanceof Float) return stringify(value);
  if (isArray(value)) return `[${value.map(rubyInspect).join(', ')}]`;
  if (!(value instanceof PuppetHash)) return stringify(value);
  const entries = [...value].map(([key, item]) => `${rubyInspect(key)}=>${rubyInspect(item)}`);
  return `{${entries.join(', ')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\u001b': '\\e',
};

function inspectString(text: string): string {
  const escaped = text
    .replace(/["\\\n\t\r\u001b]/g, (character) => ESCAPES[character] ?? character)
    .replace(/#(?=[{$@])/g, '\\#');
  return `"${escaped}"`;
}
