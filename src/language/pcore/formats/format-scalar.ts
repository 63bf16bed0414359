/** Values that are no collections as text. */

import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { rubyClassName } from '../resolution/ruby-class-name.ts';
import { Float, isDefault, isInteger, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { ByteString } from '../values/byte-string.ts';
import { rubyFloat } from '../values/float-text.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { puppetQuote } from '../values/quote.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { TimeValue } from '../values/time-value.ts';
import { UriValue } from '../values/uri-value.ts';
import { formatBinary } from './format-binary.ts';
import type { Indentation } from './format-collection.ts';
import { inspect } from './inspect.ts';
import { plainText } from './plain-text.ts';
import { programText } from './program-text.ts';
import { assertDirective, formatFloat, formatFloatText, formatInteger, formatText } from './ruby-format.ts';
import { illegalFormat, type StringFormat } from './string-format.ts';

/** @throws PuppetError when the format is not for this type of value */
export function formatScalar(value: Value, format: StringFormat, indentation: Indentation): string {
  if (typeof value === 'string') return formatString(value, format);
  if (isInteger(value)) return formatWhole(value, format);
  if (value instanceof Float) return formatFraction(value.value, format);
  if (typeof value === 'boolean') return formatBoolean(value, format);
  if (value === null) return formatUndef(format);
  if (isDefault(value)) return formatDefault(format);
  if (value instanceof PuppetType) return formatType(value, format);
  if (value instanceof RegexpValue) return formatRegexp(value, format);
  if (value instanceof ByteString) return formatString(value.text, format);
  if (value instanceof BinaryValue) return formatBinary(value, format);
  if (value instanceof ObjectInstance) return formatObject(value, format, indentation);
  if (value instanceof UriValue) return formatUri(value, format);
  return formatAny(value, format);
}

/** Width and precision, nothing else. */
function withFlags(format: StringFormat, text: string): string {
  const { isLeft, width, precision } = format;
  if (!isLeft && width === undefined && precision === undefined) return text;
  return formatText(
    `%${isLeft ? '-' : ''}${width ?? ''}${precision === undefined ? '' : `.${precision}`}s`,
    text,
  );
}

/** The format with another letter, without the flags that Ruby does not know. */
function withLetter(format: StringFormat, letter: string): string {
  return format.text.replace(/[a-zA-Z]$/, letter);
}

function formatString(text: string, format: StringFormat): string {
  if (format.letter === 's') return formatText(format.text, format.isAlternate ? text : text);
  if (format.letter === 'p') return withFlags(format, puppetQuote(text, format.isAlternate));
  const change = STRING_CHANGES[format.letter];
  if (change === undefined) throw illegalFormat('String', format, 'cCudspt');
  const changed = change(text);
  return format.isAlternate
    ? withFlags(format, puppetQuote(changed))
    : formatText(withLetter(format, 's'), changed);
}

const STRING_CHANGES: Readonly<Record<string, (text: string) => string>> = {
  c: capitalize,
  C: (text) => text.split('::').map(capitalize).join('::'),
  u: (text) => text.toUpperCase(),
  d: (text) => text.toLowerCase(),
  t: (text) => text.replace(/^[\s\0]+|[\s\0]+$/g, ''),
};

/** The first character upper case, the rest lower. */
function capitalize(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

function formatWhole(value: number | bigint, format: StringFormat): string {
  const { letter } = format;
  if ('dxXobB'.includes(letter)) return formatInteger(format.text, value);
  if ('eEfgGaA'.includes(letter)) return formatFloat(format.text, Number(value));
  if (letter === 'p') return formatText(format.text, String(value));
  if (letter === 'c') {
    if (value < 0) throw fault('pack(U): value out of range');
    const character = String.fromCodePoint(Number(value));
    return formatText(withLetter(format, 's'), format.isAlternate ? `"${character}"` : character);
  }
  if (letter !== 's') throw illegalFormat('Integer', format, 'dxXobBeEfgGaAspc');
  return formatText(format.text, format.isAlternate ? inspect(String(value)) : String(value));
}

function formatFraction(value: number, format: StringFormat): string {
  const { letter } = format;
  if ('dxXobB'.includes(letter)) return formatInteger(format.text, BigInt(Math.trunc(value)));
  if ('eEfgGaA'.includes(letter)) return formatFloat(format.text, value);
  if (letter === 'p') return formatFloatText(format.text, value);
  if (letter !== 's') throw illegalFormat('Float', format, 'dxXobBeEfgGaAsp');
  return formatText(format.text, format.isAlternate ? `"${rubyFloat(value)}"` : rubyFloat(value));
}

function formatBoolean(value: boolean, format: StringFormat): string {
  const { letter } = format;
  const word = BOOLEAN_WORDS[letter]?.[value ? 1 : 0];
  if (word !== undefined) return withFlags(format, format.isAlternate ? word.charAt(0) : word);
  if ('dxXobB'.includes(letter)) return formatWhole(value ? 1 : 0, format);
  if ('eEfgGaA'.includes(letter)) return formatFraction(value ? 1 : 0, format);
  if (!'sp'.includes(letter)) throw illegalFormat('Boolean', format, 'tTyYdxXobBeEfgGaAsp');
  return withFlags(format, String(value));
}

const BOOLEAN_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  t: ['false', 'true'],
  T: ['False', 'True'],
  y: ['no', 'yes'],
  Y: ['No', 'Yes'],
};

function formatUndef(format: StringFormat): string {
  const words =
    UNDEF_WORDS[format.letter] ?? ('dxXobBeEfgGaA'.includes(format.letter) ? ['NaN', 'NaN'] : undefined);
  if (words === undefined) throw illegalFormat('Undef', format, 'nudxXobBeEfgGaAvVsp');
  return withFlags(format, words[format.isAlternate ? 1 : 0] ?? '');
}

/** Plain, and with the flag `#`. */
const UNDEF_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  n: ['nil', 'null'],
  u: ['undef', 'undefined'],
  v: ['n/a', 'n/a'],
  V: ['N/A', 'N/A'],
  s: ['', '""'],
  p: ['undef', '"undef"'],
};

function formatDefault(format: StringFormat): string {
  if (!'dDsp'.includes(format.letter)) throw illegalFormat('Default', format, 'dDsp');
  const word = format.letter === 'D' ? 'Default' : 'default';
  return withFlags(format, format.isAlternate ? `"${word}"` : word);
}

function formatType(type: PuppetType, format: StringFormat): string {
  const text = type.toString();
  if (format.letter === 's') return formatText(format.text, format.isAlternate ? `"${text}"` : text);
  if (format.letter !== 'p') throw illegalFormat('Type', format, 'sp');
  return formatText(withLetter(format, 's'), text);
}

function formatRegexp(regexp: RegexpValue, format: StringFormat): string {
  if (format.letter === 'p') return formatText(withLetter(format, 's'), regexp.toLiteral());
  if (format.letter !== 's') throw illegalFormat('Regexp', format, 'sp');
  return formatText(format.text, format.isAlternate ? puppetQuote(regexp.source) : regexp.source);
}

function formatObject(value: ObjectInstance, format: StringFormat, indentation: Indentation): string {
  switch (format.letter) {
    case 'p':
      return programText(
        value,
        format.isAlternate || indentation.isIndenting ? indentation.level : undefined,
      );
    case 's':
      return plainText(value);
    case 'q':
      return inspect(value);
    default:
      throw illegalFormat('Object', format, 'spq');
  }
}

function formatUri(uri: UriValue, format: StringFormat): string {
  if (format.letter === 'p') return programText(uri);
  if (format.letter !== 's') throw illegalFormat('URI', format, 'sp');
  return formatText(format.text, format.isAlternate ? puppetQuote(uri.toString()) : uri.toString());
}

/** What Ruby's `format` makes of a value that is neither text nor number. */
function formatAny(value: Value, format: StringFormat): string {
  const { letter } = format;
  assertDirective(format.text);
  if (letter === 's') return formatText(format.text, plainText(value));
  if (letter === 'p') return formatText(format.text, inspect(value));
  if (value instanceof TimeValue) {
    if ('diuxXobB'.includes(letter)) return formatInteger(format.text, value.toInteger());
    if ('eEfgGaA'.includes(letter)) return formatFloat(format.text, value.toFloat());
  }
  const wanted = 'diuxXobB'.includes(letter) ? 'Integer' : 'eEfgGaA'.includes(letter) ? 'Float' : undefined;
  if (wanted === undefined) throw fault(`malformed format string - %${letter}`);
  throw fault(`can't convert ${rubyClassName(value)} into ${wanted}`);
}
