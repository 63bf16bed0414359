/** What a plain scalar means: the rules of Ruby's Psych, which are neither YAML 1.1 nor 1.2. */

import { YamlFloat, YamlSymbol, type YamlValue } from './value.ts';
import { disallowedClass, YamlError } from './yaml-error.ts';

const WORD = /^[^\d.:-]?[\p{Alphabetic}_ \t\r\n\f\v!@#$%^&*(){}<>|/\\~;=]+/mu;
const TIME =
  /^-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|[ \t\r\n\f\v]+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:[ \t\r\n\f\v]*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?$/;
const DATE = /^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$/;
const SEXAGESIMAL_INTEGER = /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$/;
const SEXAGESIMAL_FLOAT = /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$/;
const FLOAT = /^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$/;
const INTEGER =
  /^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$/;

/** Longer words are strings without another look. */
const LONGEST_KEYWORD = 5;

/**
 * The value of an unquoted scalar without a tag.
 *
 * @throws YamlError for dates and times, which safe loading refuses, and for numbers without digits
 */
export function plainScalar(text: string): YamlValue {
  if (text === '') return null;
  if (WORD.test(text) || text.includes('\n')) return word(text);
  if (TIME.test(text)) throw disallowedClass('Time');
  if (DATE.test(text)) throw disallowedClass('Date');
  if (/^\+?\.inf$/i.test(text)) return new YamlFloat(Number.POSITIVE_INFINITY);
  if (/^-\.inf$/i.test(text)) return new YamlFloat(Number.NEGATIVE_INFINITY);
  if (/^\.nan$/i.test(text)) return new YamlFloat(Number.NaN);
  if (/^:./.test(text)) return symbol(text);
  return number(text);
}

function word(text: string): YamlValue {
  if (text.length > LONGEST_KEYWORD) return text;
  switch (text.toLowerCase()) {
    case '~':
    case 'null':
      return null;
    case 'yes':
    case 'true':
    case 'on':
      return true;
    case 'no':
    case 'false':
    case 'off':
      return false;
    default:
      return text;
  }
}

function symbol(text: string): YamlSymbol {
  const quoted = /^:(["'])(.*)\1/.exec(text);
  return new YamlSymbol((quoted?.[2] ?? text).replace(/^:/, ''));
}

function number(text: string): YamlValue {
  if (SEXAGESIMAL_INTEGER.test(text)) return sexagesimal(text);
  if (SEXAGESIMAL_FLOAT.test(text)) return new YamlFloat(sexagesimal(text));
  if (FLOAT.test(text)) return /^[-+]?\.$/.test(text) ? text : float(text);
  return INTEGER.test(text) ? integer(text) : text;
}

/** `1:30` is 1 * 3600 + 30 * 60: the first of two parts counts as hours, too. */
function sexagesimal(text: string): number {
  return text
    .split(':')
    .reduce((sum, part, index) => sum + Number(part.replaceAll('_', '')) * 60 ** Math.abs(index - 2), 0);
}

function float(text: string): YamlFloat {
  const plain = text.replace(/[,_]|\.([Ee]|$)/g, '$1');
  return rubyFloat(plain);
}

/** Ruby's `Float(text)` for text that consists of a number's characters. */
export function rubyFloat(text: string): YamlFloat {
  const isNumber = /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);
  if (!isNumber) throw new YamlError('value', `invalid value for Float(): ${JSON.stringify(text)}`);
  return new YamlFloat(Number(text));
}

function integer(text: string): number | bigint {
  const plain = text.replace(/[,_]/g, '');
  const isNegative = plain.startsWith('-');
  const digits = plain.replace(/^[-+]/, '');
  if (/^0[xb]?$/.test(digits) && digits !== '0') {
    throw new YamlError('value', `invalid value for Integer(): ${JSON.stringify(plain)}`);
  }
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = isNegative ? -magnitude : magnitude;
  const isExact = magnitude <= BigInt(Number.MAX_SAFE_INTEGER);
  // `-0` would be a negative zero as a number
  return isExact ? Number(value) + 0 : value;
}
