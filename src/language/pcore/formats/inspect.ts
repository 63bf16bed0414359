import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { rubyFloat } from '../values/float-text.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { UriValue } from '../values/uri-value.ts';
import { programText } from './program-text.ts';

/** A value as Ruby's `inspect` shows it; some messages contain that. */
export function inspect(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return inspectText(value);
  if (isInteger(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isDefault(value)) return ':default';
  if (isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (value instanceof PuppetHash) {
    return `{${[...value].map(([key, item]) => `${inspect(key)}=>${inspect(item)}`).join(', ')}}`;
  }
  if (value instanceof PuppetType) return value.toString();
  if (value instanceof RegexpValue) return value.toLiteral();
  if (value instanceof ByteString) return inspectBytes(value.text);
  if (value instanceof SensitiveValue) return `#<${value.toString()}>`;
  if (value instanceof SemVerRangeValue || value instanceof UriValue) return value.inspect();
  return value instanceof ObjectInstance ? (value.text() ?? programText(value)) : value.toString();
}

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

/** A string of bytes as Ruby's `String#inspect`: one character each, none of them beyond ASCII. */
export function inspectBytes(text: string): string {
  const escaped = text.replace(SPECIAL, escapeSpecial);
  return `"${escaped.replace(UNPRINTED_BYTE, (byte) => `\\x${hex(byte.charCodeAt(0), 2)}`)}"`;
}

/** A string as Ruby's `String#inspect`. */
export function inspectText(text: string): string {
  return `"${text.replace(SPECIAL, escapeSpecial).replace(UNPRINTED, escapeUnprinted)}"`;
}

const SPECIAL = /["\\\n\t\r\f\v\b\u0007\u001b]|#(?=[{$@])/g;
// oxlint-disable-next-line no-control-regex
const UNPRINTED_BYTE = /[\u0000-\u001f\u007f-\u00ff]/g;
/** Neither a graphic character nor a space, except U+0085, which Ruby counts as one. */
// oxlint-disable-next-line no-control-regex
const UNPRINTED = /[\u0000-\u001f\u007f-\u0084\u0086-\u009f\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

function escapeSpecial(character: string): string {
  return ESCAPES[character] ?? `\\${character}`;
}

function escapeUnprinted(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${hex(code, 5)}}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}
