import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { rubyFloat } from '../values/float-text.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
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
  if (value instanceof SemVerRangeValue) return value.inspect();
  return value instanceof ObjectInstance ? programText(value) : value.toString();
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
  const escaped = inspectText(text).replace(/\\u00(?=[0-9A-F]{2})/g, '\\x');
  return escaped.replace(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A string as Ruby's `String#inspect`. */
export function inspectText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]|#(?=[{$@])/g, (character) => {
    if (character === '#') return '\\#';
    const known = ESCAPES[character];
    return known ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return `"${escaped.replace(/\\u00([0-7][0-9A-F])/g, '\\x$1')}"`;
}
