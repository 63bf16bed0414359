import { Float, formatFloat, integer, isInteger, rubyFloat, type Value } from '../../pcore/index.ts';
import { isNumber, small } from '../arguments.ts';
import { giveUp, raise } from '../signals.ts';
import { number, order, toInteger } from '../values/comparison.ts';
import { toText } from '../values/text.ts';
import { type MethodTable, plain, withBlock } from './method.ts';

type Whole = number | bigint;
type Numeric = Whole | Float;

const comparisons: MethodTable = {
  '<': plain(1, 1, (self: Numeric, [other = null]) => comparison(self, other) < 0),
  '<=': plain(1, 1, (self: Numeric, [other = null]) => comparison(self, other) <= 0),
  '>': plain(1, 1, (self: Numeric, [other = null]) => comparison(self, other) > 0),
  '>=': plain(1, 1, (self: Numeric, [other = null]) => comparison(self, other) >= 0),
  'between?': plain(
    2,
    2,
    (self: Numeric, [low = null, high = null]) => comparison(self, low) >= 0 && comparison(self, high) <= 0,
  ),
};

const shared: MethodTable = {
  ...comparisons,
  '+': arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  '-': arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  '*': arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  '/': arithmetic(divide, (a, b) => a / b),
  '%': arithmetic(modulo, (a, b) => (a % b !== 0 && a < 0 !== b < 0 ? (a % b) + b : a % b)),
  'zero?': plain(0, 0, (self: Numeric) => Number(number(self)) === 0),
  'positive?': plain(0, 0, (self: Numeric) => Number(number(self)) > 0),
  'negative?': plain(0, 0, (self: Numeric) => Number(number(self)) < 0),
  to_f: plain(0, 0, (self: Numeric) => new Float(Number(number(self)))),
};

export const integerMethods: MethodTable = {
  ...shared,
  '**': plain(1, 1, (self: Whole, [other]) => {
    const power = other instanceof Float ? giveUp('a power of floats') : small(other);
    return power < 0 || power > 4096 ? giveUp('such a power') : integer(BigInt(self) ** BigInt(power));
  }),
  '&': bits((a, b) => a & b),
  '|': bits((a, b) => a | b),
  '^': bits((a, b) => a ^ b),
  '>>': bits((a, b) => (b < 0n || b > 4096n ? giveUp('such a shift') : a >> b)),
  '<<': bits((a, b) => (b < 0n || b > 4096n ? giveUp('such a shift') : a << b)),
  '-@': plain(0, 0, (self: Whole) => toInteger(-self || 0)),
  abs: plain(0, 0, (self: Whole) => (self < 0 ? -self : self)),
  'even?': plain(0, 0, (self: Whole) => BigInt(self) % 2n === 0n),
  'odd?': plain(0, 0, (self: Whole) => BigInt(self) % 2n !== 0n),
  succ: plain(0, 0, (self: Whole) => integer(BigInt(self) + 1n)),
  next: plain(0, 0, (self: Whole) => integer(BigInt(self) + 1n)),
  pred: plain(0, 0, (self: Whole) => integer(BigInt(self) - 1n)),
  to_i: plain(0, 0, (self: Whole) => self),
  to_int: plain(0, 0, (self: Whole) => self),
  floor: plain(0, 0, (self: Whole) => self),
  ceil: plain(0, 0, (self: Whole) => self),
  round: plain(0, 0, (self: Whole) => self),
  truncate: plain(0, 0, (self: Whole) => self),
  to_s: plain(0, 1, (self: Whole, [radix = 10]) => {
    const base = small(radix);
    return base < 2 || base > 36 ? raise(`invalid radix ${base}`) : self.toString(base);
  }),
  fdiv: plain(1, 1, (self: Whole, [other]) => {
    if (!isNumber(other) || typeof self === 'bigint') return giveUp('fdiv');
    return new Float(self / Number(number(other)));
  }),
  divmod: plain(1, 1, (self: Whole, [other], run) => {
    if (other === undefined || !isInteger(other)) return giveUp('divmod');
    return run.own([
      integer(divide(BigInt(self), BigInt(other))),
      integer(modulo(BigInt(self), BigInt(other))),
    ]);
  }),
  times: withBlock(0, 0, (self: Whole, block) => {
    for (let index = 0; index < self; index += 1) block.yield(index);
    return self;
  }),
  upto: withBlock(1, 1, (self: Whole, block, [last]) => {
    const end = small(last);
    for (let index = Number(self); index <= end; index += 1) block.yield(index);
    return self;
  }),
  downto: withBlock(1, 1, (self: Whole, block, [last]) => {
    const end = small(last);
    for (let index = Number(self); index >= end; index -= 1) block.yield(index);
    return self;
  }),
};

export const floatMethods: MethodTable = {
  ...shared,
  '-@': plain(0, 0, (self: Float) => new Float(-self.value)),
  abs: plain(0, 0, (self: Float) => new Float(Math.abs(self.value))),
  to_i: plain(0, 0, (self: Float) => whole(Math.trunc(self.value))),
  to_int: plain(0, 0, (self: Float) => whole(Math.trunc(self.value))),
  truncate: plain(0, 0, (self: Float) => whole(Math.trunc(self.value))),
  floor: plain(0, 0, (self: Float) => whole(Math.floor(self.value))),
  ceil: plain(0, 0, (self: Float) => whole(Math.ceil(self.value))),
  round: plain(0, 1, (self: Float, [digits = 0]) => round(self.value, small(digits))),
  'nan?': plain(0, 0, (self: Float) => Number.isNaN(self.value)),
};

function comparison(self: Numeric, other: Value): number {
  return isNumber(other) ? order(self, other) : giveUp('a comparison of a number with something else');
}

function arithmetic(onWhole: (a: bigint, b: bigint) => bigint, onFloat: (a: number, b: number) => number) {
  return plain(1, 1, (self: Numeric, [other = null]) => {
    if (other === null)
      return raise("nil can't be coerced into " + (self instanceof Float ? 'Float' : 'Integer'));
    if (!isNumber(other)) return giveUp('arithmetic with something else');
    if (!(self instanceof Float) && !(other instanceof Float))
      return integer(onWhole(BigInt(self), BigInt(other)));
    const [a, b] = [number(self), number(other)];
    if (typeof a === 'bigint' || typeof b === 'bigint') return giveUp('floats and large integers');
    return new Float(onFloat(Number(a), Number(b)));
  });
}

function bits(operation: (a: bigint, b: bigint) => bigint) {
  return plain(1, 1, (self: Whole, [other]) =>
    other !== undefined && isInteger(other)
      ? integer(operation(BigInt(self), BigInt(other)))
      : giveUp('bits of something else'),
  );
}

/** Towards minus infinity, as Ruby. */
function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) raise('divided by 0');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function modulo(a: bigint, b: bigint): bigint {
  return a - divide(a, b) * b;
}

function whole(value: number): Value {
  return Number.isFinite(value) ? integer(BigInt(value)) : giveUp('an infinite integer');
}

function round(value: number, digits: number): Value {
  if (digits < 0 || !Number.isFinite(value)) return giveUp('such a rounding');
  if (digits === 0) return whole(Math.sign(value) * Math.round(Math.abs(value)));
  assertNoTie(value, digits);
  return new Float(Number(formatFloat(`%.${digits}f`, value)));
}

/** Ruby's rounding of decimal ties is hard to foresee. */
export function assertNoTie(value: number, digits: number): void {
  const fraction = /\.(\d+)$/.exec(rubyFloat(value))?.[1];
  const isExponential = rubyFloat(value).includes('e');
  if (
    isExponential ||
    (fraction !== undefined && fraction.length > digits && fraction.slice(digits).startsWith('5'))
  )
    giveUp(`rounding of ${toText(new Float(value))}`);
}
