/** JSON values as Ruby's `to_s` shows them. */

import type { Json } from '../../lib/json.ts';

export function rubyText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? inspect(value) : String(value);
}

function inspect(value: Json): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return inspectText(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(inspect).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${inspectText(key)}=>${inspect(item)}`);
  return `{${pairs.join(', ')}}`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '\u007f': '\\x7F',
};

function inspectText(text: string): string {
  const escaped = text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is shown in another way
    /["\\\u0000-\u001f\u007f]|#(?=[{$@])/g,
    (character) =>
      character === '#'
        ? '\\#'
        : (escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
  );
  return `"${escaped}"`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
