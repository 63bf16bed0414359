/** Values as Ruby prints them: in interpolated strings, explanations and messages of the lookup. */

import {
  BinaryValue,
  Float,
  isArray,
  isInteger,
  PuppetHash,
  PuppetType,
  SensitiveValue,
  stringify,
  type Value,
} from '../pcore/index.ts';

/** Ruby's `to_s`: what an interpolation of a value that is no string gives. */
export function rubyToString(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (isArray(value) || value instanceof PuppetHash) return inspect(value);
  // Ruby has it as a string of bytes.
  if (value instanceof BinaryValue) return new TextDecoder().decode(value.bytes);
  return value instanceof Float ? floatText(value.value) : stringify(value);
}

/** Ruby's `inspect`. */
export function inspect(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return inspectString(value);
  if (typeof value === 'boolean' || isInteger(value)) return String(value);
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof BinaryValue) return inspectString(new TextDecoder().decode(value.bytes));
  if (isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (value instanceof PuppetHash) {
    return `{${Array.from(value, ([key, item]) => `${inspect(key)}=>${inspect(item)}`).join(', ')}}`;
  }
  return stringify(value);
}

/** The name of the Ruby class that the reference holds a value in. */
export function className(value: Value): string {
  if (value === null) return 'NilClass';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  if (isInteger(value)) return 'Integer';
  if (value instanceof Float) return 'Float';
  if (isArray(value)) return 'Array';
  if (value instanceof PuppetHash) return 'Hash';
  if (value instanceof SensitiveValue) return 'Puppet::Pops::Types::PSensitiveType::Sensitive';
  if (value instanceof BinaryValue) return 'Puppet::Pops::Types::PBinaryType::Binary';
  if (value instanceof PuppetType) return `Puppet::Pops::Types::P${value.kind}Type`;
  return value.constructor.name;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
  ['\f', '\\f'],
  ['\v', '\\v'],
  ['\b', '\\b'],
  ['\u0007', '\\a'],
  ['\u001b', '\\e'],
]);

function inspectString(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]|#(?=[{$@])/gu, (character) => {
    if (character === '#') return '\\#';
    const known = ESCAPES.get(character);
    if (known !== undefined) return known;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return code.length <= 2 && character < '\u0080'
      ? `\\x${code.padStart(2, '0')}`
      : `\\u${code.padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

/** Ruby's Float#to_s. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(value, -0)) return '-0.0';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    const digits = exponent.slice(1).padStart(2, '0');
    return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}e${exponent.charAt(0)}${digits}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}
