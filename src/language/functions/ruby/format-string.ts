/** Ruby's `Kernel#format`. */

import {
  Float,
  fault,
  inspect,
  isArray,
  isInteger,
  PuppetHash,
  plainText,
  rubyClassName,
  type Value,
} from '../../pcore/index.ts';
import { type Directive, parseDirective } from './format-directive.ts';
import { formatExactInteger, formatFloat, formatInteger } from './format-number.ts';
import { parseFloatStrictly, parseInteger } from './parse-number.ts';

/**
 * `format(format, *args)` of Ruby 3.
 *
 * Named references look up string keys of the only argument, a hash.
 *
 * @throws PuppetError `argument_error` with Ruby's text
 */
export function formatString(format: string, args: readonly Value[]): string {
  const source = new ArgumentSource(args);
  const stars = {
    next: () => starWidth(source.next()),
    at: (position: number) => starWidth(source.at(position)),
  };
  let result = '';
  let offset = 0;
  for (;;) {
    const percent = format.indexOf('%', offset);
    if (percent < 0) return result + format.slice(offset);
    result += format.slice(offset, percent);
    const { directive, end } = parseDirective(format, percent + 1, stars);
    result += directive === undefined ? '%' : formatDirective(directive, source);
    offset = end;
  }
}

function starWidth(value: Value): number {
  return Number(integerArgument(value));
}

/** Hands out arguments by turn, by position or by name, and refuses mixtures. */
class ArgumentSource {
  private readonly args: readonly Value[];
  private used = 0;
  private mode: 'none' | 'unnumbered' | 'numbered' | 'named' = 'none';

  constructor(args: readonly Value[]) {
    this.args = args;
  }

  next(): Value {
    const number = this.used + 1;
    if (this.mode === 'numbered' || this.mode === 'named')
      throw fault(`unnumbered(${number}) mixed with ${this.mode}`);
    this.mode = 'unnumbered';
    this.used = number;
    return this.take(number);
  }

  at(position: number): Value {
    if (this.mode === 'unnumbered') throw fault(`numbered(${position}) after unnumbered(${this.used})`);
    if (this.mode === 'named') throw fault(`numbered(${position}) after named`);
    this.mode = 'numbered';
    return this.take(position);
  }

  /** @param name - with its brackets */
  named(name: string): Value {
    if (this.mode === 'unnumbered') throw fault(`named${name} after unnumbered(${this.used})`);
    if (this.mode === 'numbered') throw fault(`named${name} after numbered`);
    this.mode = 'named';
    const hash = this.args[0];
    if (this.args.length !== 1 || !(hash instanceof PuppetHash)) throw fault('one hash required');
    const value = hash.get(name.slice(1, -1));
    if (value === undefined) throw fault(`key${name} not found`);
    return value;
  }

  private take(number: number): Value {
    const value = this.args[number - 1];
    if (value === undefined) throw fault('too few arguments');
    return value;
  }
}

function formatDirective(directive: Directive, source: ArgumentSource): string {
  const value = argumentOf(directive, source);
  switch (directive.type) {
    case 'c':
      return padText(directive, characterOf(value));
    case 's':
    case '{':
      return padText(directive, plainText(value));
    case 'p':
      return padText(directive, inspect(value));
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'b':
    case 'B':
      return formatInteger(directive, integerArgument(value));
    default:
      return formatFloatDirective(directive, value);
  }
}

function argumentOf(directive: Directive, source: ArgumentSource): Value {
  if (directive.name !== undefined) {
    if (directive.position !== undefined) throw fault(`named${directive.name} after numbered`);
    return source.named(directive.name);
  }
  return directive.position === undefined ? source.next() : source.at(directive.position);
}

function formatFloatDirective(directive: Directive, value: Value): string {
  if (directive.type === 'f' && isInteger(value)) return formatExactInteger(directive, BigInt(value));
  return formatFloat(directive, floatArgument(value));
}

function padText(directive: Directive, text: string): string {
  let characters = Array.from(text);
  if (directive.precision !== undefined && directive.type !== 'c')
    characters = characters.slice(0, directive.precision);
  const spaces = ' '.repeat(Math.max(0, (directive.width ?? 0) - characters.length));
  const cut = characters.join('');
  return directive.isLeft ? cut + spaces : spaces + cut;
}

function characterOf(value: Value): string {
  if (typeof value === 'string') {
    if (Array.from(value).length !== 1) throw fault('%c requires a character');
    return value;
  }
  if (value === null || typeof value === 'boolean')
    throw fault(`no implicit conversion from ${inspect(value)} to integer`);
  if (!isInteger(value) && !(value instanceof Float))
    throw fault(`no implicit conversion of ${rubyClassName(value)} into Integer`);
  const code = Number(integerArgument(value));
  if (code < 0 || code > 0x10ffff) throw fault('invalid character');
  return String.fromCodePoint(code);
}

function integerArgument(value: Value): bigint {
  if (isInteger(value)) return BigInt(value);
  if (value instanceof Float) {
    if (!Number.isFinite(value.value)) throw fault(plainText(value));
    return BigInt(Math.trunc(value.value));
  }
  if (typeof value === 'string') {
    const parsed = parseInteger(value);
    if (parsed === undefined) throw fault(`invalid value for Integer(): ${inspect(value)}`);
    return parsed;
  }
  throw fault(`can't convert ${conversionName(value)} into Integer`);
}

function floatArgument(value: Value): number {
  if (value instanceof Float) return value.value;
  if (isInteger(value)) return Number(value);
  if (typeof value === 'string') {
    const parsed = parseFloatStrictly(value);
    if (parsed === undefined) throw fault(`invalid value for Float(): ${inspect(value)}`);
    return parsed;
  }
  throw fault(`can't convert ${conversionName(value)} into Float`);
}

/** How Ruby's conversion errors name a value: nil, true and false as they are, others by class. */
export function conversionName(value: Value): string {
  if (value === null || typeof value === 'boolean') return inspect(value);
  return isArray(value) ? 'Array' : rubyClassName(value);
}
