/** Values as Ruby's `to_s` and `inspect` print them, for functions that do not format in Puppet's own way. */

import { DEFAULT, isArray, PuppetHash, RegexpValue, stringify, type Value } from '../../pcore/index.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\u0007': '\\a',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
};

/** `value.to_s`. */
export function rubyText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (isArray(value) || value instanceof PuppetHash) return rubyInspect(value);
  if (value instanceof RegexpValue) return regexpText(value);
  return stringify(value);
}

/** `value.inspect`. */
export function rubyInspect(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return inspectString(value);
  if (isArray(value)) return `[${value.map(rubyInspect).join(', ')}]`;
  if (value instanceof PuppetHash)
    return `{${[...value].map(([key, item]) => `${rubyInspect(key)}=>${rubyInspect(item)}`).join(', ')}}`;
  if (value === DEFAULT) return ':default';
  return stringify(value);
}

function inspectString(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/[\u0000-\u001f\u007f-\u009f"\\]|#(?=[{$@])/g, (character) => {
    if (character === '#') return '\\#';
    return ESCAPES[character] ?? unicodeEscape(character);
  });
  return `"${escaped}"`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `Regexp#to_s`, which keeps the options apart from those of a pattern that it is put into. */
function regexpText(value: RegexpValue): string {
  return `(?-mix:${value.toLiteral().slice(1, -1)})`;
}
