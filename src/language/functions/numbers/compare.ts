import { compareCodePoints } from '../../../lib/code-point-order.ts';
import {
  BinaryValue,
  Float,
  fault,
  isArray,
  isInteger,
  PuppetHash,
  PuppetType,
  RegexpValue,
  rubyClassName,
  SemVerRangeValue,
  SemVerValue,
  SensitiveValue,
  TimespanValue,
  TimestampValue,
  type Value,
} from '../../pcore/index.ts';
import { defineFunction, type ParameterSpec } from '../function.ts';
import { spaceship } from '../ruby/spaceship.ts';

const REST: ParameterSpec = { type: 'Any', name: 'ignore_case', arity: 'repeated' };

/** `compare(a, b, ignore_case)`: -1, 0 or 1; of numbers, strings (without case unless told), versions and times. */
export const compare = defineFunction({
  name: 'compare',
  bytes: 'shown',
  localTypes: {
    TimeComparable: 'Variant[Numeric, Timespan, Timestamp]',
    Comparable: 'Variant[String, Semver, TimeComparable]',
  },
  dispatches: [
    { parameters: pair('Numeric', 'Numeric'), call: (_context, [a = null, b = null]) => order(a, b) },
    {
      parameters: [...pair('String', 'String'), { type: 'Boolean', name: 'ignore_case', arity: 'optional' }],
      call: (_context, [a, b, ignoresCase = true]) => compareText(String(a), String(b), ignoresCase === true),
    },
    { parameters: pair('Semver', 'Semver'), call: (_context, [a = null, b = null]) => order(a, b) },
    {
      parameters: pair('Numeric', 'Variant[Timespan, Timestamp]'),
      call: (_context, [a = null, b = null]) => -order(b, a) + 0,
    },
    {
      parameters: pair('Timestamp', 'Variant[Timestamp, Numeric]'),
      call: (_context, [a = null, b = null]) => order(a, b),
    },
    {
      parameters: pair('Timespan', 'Variant[Timespan, Numeric]'),
      call: (_context, [a = null, b = null]) => order(a, b),
    },
    {
      parameters: [...pair('Comparable', 'Comparable'), REST],
      isMismatch: true,
      call: (_context, [a = null, b = null, ...rest]) => explainMismatch(a, b, rest),
    },
    {
      parameters: [...pair('Any', 'Any'), REST],
      isMismatch: true,
      call: (_context, [a = null, b = null]) =>
        'compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp ' +
        `can be compared. Got ${label(a)} and ${label(b)}`,
    },
  ],
});

function pair(a: string, b: string): readonly [ParameterSpec, ParameterSpec] {
  return [
    { type: a, name: 'a' },
    { type: b, name: 'b' },
  ];
}

function order(a: Value, b: Value): number {
  return Math.sign(spaceship(a, b) ?? 0);
}

/** Only the letters of ASCII are the same in both cases, as with Ruby's `casecmp`. */
function compareText(a: string, b: string, ignoresCase: boolean): number {
  return ignoresCase ? compareCodePoints(foldAscii(a), foldAscii(b)) : compareCodePoints(a, b);
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function explainMismatch(a: Value, b: Value, rest: readonly Value[]): string {
  if (rest.length > 0) {
    if (typeof a !== 'string' || typeof b !== 'string')
      return 'compare(): The third argument (ignore case) can only be used when comparing strings';
    if (rest.length > 1) return `compare(): Accepts at most 3 arguments, got ${2 + rest.length}`;
    // The reference means to say that a Boolean is needed, and stumbles over the name.
    throw fault('uninitialized constant Puppet::Pops::Loader::RubyFunctionInstantiator::Boolean');
  }
  if (rubyClassName(a) === rubyClassName(b)) return '';
  return (
    'compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). ' +
    `Got ${label(a)} and ${label(b)}`
  );
}

/** How the reference calls a value in these messages. */
function label(value: Value): string {
  if (value === null) return 'Undef Value';
  if (typeof value === 'boolean') return 'Boolean';
  if (value instanceof PuppetType) return `${value}-Type`;
  if (value instanceof SemVerValue) return 'Semver';
  if (value instanceof SemVerRangeValue) return 'SemverRange';
  if (value instanceof TimestampValue) return 'Timestamp';
  if (value instanceof TimespanValue) return 'Timespan';
  if (value instanceof BinaryValue) return 'Binary';
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof SensitiveValue) return 'Sensitive';
  if (isInteger(value) || value instanceof Float || isArray(value) || value instanceof PuppetHash)
    return rubyClassName(value);
  return typeof value === 'string' ? 'String' : 'Object';
}
