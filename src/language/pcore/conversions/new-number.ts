/** `Integer.new`, `Float.new`, `Numeric.new` */

import { fault } from '../fault.ts';
import { inferGeneric } from '../infer.ts';
import { assertInstance } from '../mismatch/assert-instance.ts';
import { parseType } from '../resolution/parse-type.ts';
import { Float, type IntegerValue, integer, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { TimeValue } from '../values/time-value.ts';
import { Constructor } from './constructor.ts';
import { parseFloat, parseInteger, parseNumeric, tryParseInteger } from './number-text.ts';

const HEX = '(?:0[xX][0-9A-Fa-f]+)';
const OCTAL = '(?:0[0-7]+)';
const BINARY = '(?:0[bB][01]+)';
const DECIMAL = String.raw`(?:0|[1-9]\d*)`;
const SIGN = String.raw`\A[+-]?\s*`;
const FLOAT_TEXT = String.raw`${SIGN}(?:(?:${DECIMAL}(?:\.\d+)?(?:[eE]-?\d+)?)|${HEX}|${OCTAL}|${BINARY})\z`;
const INTEGER_TEXT = String.raw`${SIGN}(?:(?:\d+)|${HEX}|${BINARY})\z`;
const SPACE_AFTER_SIGN = /^([+-])[ \t]+(.*)$/s;

function isAbsolute(value: Value | undefined): boolean {
  return value === true;
}

function cannotConvert(name: string): (args: readonly Value[]) => string {
  return ([from = null]) => {
    const what =
      typeof from === 'string' ? `The string '${from}'` : `Value of type ${inferGeneric(from).toString()}`;
    return `${what} cannot be converted to ${name}`;
  };
}

const ANY_WITH_ABS = [
  { name: 'from', type: 'Any' },
  { name: 'abs', type: 'Boolean', isOptional: true },
];

export const NEW_INTEGER: Constructor = new Constructor({
  name: 'new',
  localTypes: {
    Radix: 'Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]',
    Convertible: `Variant[Numeric, Boolean, Pattern[/${INTEGER_TEXT}/], Timespan, Timestamp]`,
    NamedArgs: 'Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]',
  },
  dispatches: [
    {
      parameters: [
        { name: 'from', type: 'Convertible' },
        { name: 'radix', type: 'Radix', isOptional: true },
        { name: 'abs', type: 'Boolean', isOptional: true },
      ],
      make: ([from = null, radix, abs]) => toInteger(from, radix, isAbsolute(abs)),
    },
    {
      parameters: [{ name: 'hash_args', type: 'NamedArgs' }],
      make: ([hash]) => {
        if (!(hash instanceof PuppetHash)) return null;
        return toInteger(hash.get('from') ?? null, hash.get('radix'), isAbsolute(hash.get('abs')));
      },
    },
  ],
  mismatches: [
    {
      parameters: [{ name: 'hash_args', type: 'Hash' }],
      explain: ([hash]) => explainNamedInteger(hash ?? null),
    },
    {
      parameters: [
        { name: 'from', type: 'Any' },
        { name: 'radix', type: 'Integer', isOptional: true },
        { name: 'abs', type: 'Boolean', isOptional: true },
      ],
      explain: (args) => {
        assertRadix(args[1]);
        return cannotConvert('Integer')(args);
      },
    },
  ],
});

function explainNamedInteger(hash: Value): string {
  if (!(hash instanceof PuppetHash)) return '';
  const from = hash.get('from');
  const convertible = parseType('Convertible', NEW_INTEGER);
  if (from !== undefined && !convertible.isInstance(from)) return cannotConvert('Integer')([from]);
  assertRadix(hash.get('radix'));
  assertInstance('Integer.new', parseType('NamedArgs', NEW_INTEGER), hash);
  return '';
}

function assertRadix(radix: Value | undefined): void {
  if (radix === undefined || radix === null || isDefault(radix)) return;
  if (isInteger(radix) && [2, 8, 10, 16].includes(Number(radix))) return;
  throw fault(`Illegal radix: ${String(radix)}, expected 2, 8, 10, 16, or default`);
}

function toInteger(from: Value, radix: Value | undefined, isAbs: boolean): IntegerValue {
  const base = radix !== undefined && isInteger(radix) ? Number(radix) : undefined;
  const value = integerFrom(from, base);
  return isAbs && value < 0 ? integer(-BigInt(value)) : value;
}

function integerFrom(from: Value, radix: number | undefined): IntegerValue {
  if (isInteger(from)) return from;
  if (from instanceof Float) return truncated(from.value);
  if (from instanceof TimeValue) return from.toInteger();
  if (typeof from === 'boolean') return from ? 1 : 0;
  const text = String(from);
  const direct = tryParseInteger(text, radix);
  if (direct !== undefined) return direct;
  const spaced = SPACE_AFTER_SIGN.exec(text);
  const compact = spaced === null ? undefined : tryParseInteger(`${spaced[1]}${spaced[2]}`, radix);
  return compact ?? parseInteger(text, radix);
}

/** @throws PuppetError as Ruby does unless it is a number */
function truncated(value: number): IntegerValue {
  if (!Number.isFinite(value))
    throw fault(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
  return integer(BigInt(Math.trunc(value)));
}

/** @param numbers - the types of numbers that it takes, in the reference's words */
function numberConstructor(
  type: string,
  numbers: string,
  convert: (from: Value, isAbs: boolean) => Value,
): Constructor {
  return new Constructor({
    name: `new_${type.toLowerCase()}`,
    localTypes: {
      Convertible: `Variant[${numbers}, Boolean, Pattern[/${FLOAT_TEXT}/], Timespan, Timestamp]`,
      NamedArgs: 'Struct[{from => Convertible, Optional[abs] => Boolean}]',
    },
    dispatches: [
      {
        parameters: [
          { name: 'from', type: 'Convertible' },
          { name: 'abs', type: 'Boolean', isOptional: true },
        ],
        make: ([from = null, abs]) => convert(from, isAbsolute(abs)),
      },
      {
        parameters: [{ name: 'hash_args', type: 'NamedArgs' }],
        make: ([hash]) =>
          hash instanceof PuppetHash ? convert(hash.get('from') ?? null, isAbsolute(hash.get('abs'))) : null,
      },
    ],
    mismatches: [{ parameters: ANY_WITH_ABS, explain: cannotConvert(type) }],
  });
}

export const NEW_FLOAT: Constructor = numberConstructor('Float', 'Numeric', toFloat);

function toFloat(from: Value, isAbs: boolean): Float {
  const value = floatFrom(from);
  return new Float(isAbs ? Math.abs(value) : value);
}

function floatFrom(from: Value): number {
  if (from instanceof Float) return from.value;
  if (isInteger(from)) return Number(from);
  if (from instanceof TimeValue) return from.toFloat();
  if (typeof from === 'boolean') return from ? 1 : 0;
  const text = String(from);
  if (/^0[bB]/.test(text)) return Number(parseInteger(text));
  const spaced = SPACE_AFTER_SIGN.exec(text);
  return parseFloat(spaced === null ? text : `${spaced[1]}${spaced[2]}`);
}

export const NEW_NUMERIC: Constructor = numberConstructor('Numeric', 'Integer, Float', toNumeric);

function toNumeric(from: Value, isAbs: boolean): Value {
  const value = numericFrom(from);
  if (!isAbs) return value;
  if (value instanceof Float) return new Float(Math.abs(value.value));
  return isInteger(value) && value < 0 ? integer(-BigInt(value)) : value;
}

function numericFrom(from: Value): Value {
  if (from instanceof TimeValue) return new Float(from.toFloat());
  if (typeof from === 'boolean') return from ? 1 : 0;
  if (typeof from !== 'string') return from;
  if (/^0[bBxX]/.test(from)) return parseInteger(from);
  const parsed = parseNumeric(from);
  if (parsed === undefined) return null;
  return parsed.isFloat ? new Float(Number(parsed.value)) : parsed.value;
}

export const NEW_BOOLEAN: Constructor = new Constructor({
  name: 'new_boolean',
  dispatches: [
    {
      parameters: [
        {
          name: 'from',
          type: "Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]]",
        },
      ],
      make: ([from = null]) => toBoolean(from),
    },
  ],
  mismatches: [{ parameters: [{ name: 'from', type: 'Any' }], explain: cannotConvert('Boolean') }],
});

function toBoolean(from: Value): boolean {
  if (from instanceof Float) return from.value !== 0;
  if (isInteger(from)) return from !== 0;
  return typeof from === 'string' ? !['false', 'no', 'n'].includes(from.toLowerCase()) : from !== false;
}
