/** Numeric, Integer and Float. */

import { fault } from '../fault.ts';
import { PuppetType } from '../puppet-type.ts';
import { Float, isInteger, type Value } from '../value.ts';
import { rubyFloat } from '../values/float-text.ts';
import { type Bound, covers, greatest, least, rangeParameters } from './bound.ts';

export class NumericType extends PuppetType {
  static readonly DEFAULT: NumericType = new NumericType();
  readonly kind = 'Numeric';
  isInstance(value: Value): boolean {
    return isInteger(value) || value instanceof Float;
  }
  accepts(other: PuppetType): boolean {
    return other.kind === 'Numeric' || other.kind === 'Integer' || other.kind === 'Float';
  }
  render(): string {
    return this.kind;
  }
}

function assertOrdered(from: Bound, to: Bound, print: (bound: Bound) => string): void {
  // The missing bracket is the reference's.
  if (from > to) throw fault(`'from' must be less or equal to 'to'. Got (${print(from)}, ${print(to)}`);
}

export class IntegerType extends PuppetType {
  static readonly DEFAULT: IntegerType = new IntegerType();
  static readonly NOT_NEGATIVE: IntegerType = new IntegerType(0);
  static readonly POSITIVE: IntegerType = new IntegerType(1);
  static readonly ZERO: IntegerType = new IntegerType(0, 0);
  readonly kind = 'Integer';
  readonly from: Bound;
  readonly to: Bound;

  /** @throws PuppetError when `from` is greater than `to` */
  constructor(from: Bound = -Infinity, to: Bound = Infinity) {
    super();
    assertOrdered(from, to, String);
    this.from = from;
    this.to = to;
  }

  isInstance(value: Value): boolean {
    return isInteger(value) && value >= this.from && value <= this.to;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof IntegerType && covers(this.from, this.to, other.from, other.to);
  }
  render(): string {
    const parameters = rangeParameters(this.from, this.to);
    return parameters.length === 0 ? 'Integer' : `Integer[${parameters.join(', ')}]`;
  }
  override generalize(): PuppetType {
    return IntegerType.DEFAULT;
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType {
    return IntegerType.DEFAULT;
  }
  get isUnbounded(): boolean {
    return this.from === -Infinity && this.to === Infinity;
  }
  get isFinite(): boolean {
    return this.from !== -Infinity && this.to !== Infinity;
  }
  /** As a range of sizes, which are never negative. */
  toSize(): IntegerType {
    return this.from >= 0 ? this : new IntegerType(0, this.to < 0 ? 0 : this.to);
  }
  /** The union when both overlap or adjoin. */
  merge(other: IntegerType): IntegerType | undefined {
    const overlap = !(this.to < other.from || other.to < this.from);
    if (!overlap && !follows(this.to, other.from) && !follows(other.to, this.from)) return undefined;
    return new IntegerType(least(this.from, other.from), greatest(this.to, other.to));
  }
}

function follows(low: Bound, high: Bound): boolean {
  return low !== Infinity && high !== -Infinity && BigInt(low) + 1n === BigInt(high);
}

export class FloatType extends PuppetType {
  static readonly DEFAULT: FloatType = new FloatType();
  readonly kind = 'Float';
  readonly from: number;
  readonly to: number;

  /** @throws PuppetError when `from` is greater than `to` */
  constructor(from = -Infinity, to = Infinity) {
    super();
    assertOrdered(from, to, (bound) => rubyFloat(Number(bound)));
    this.from = from;
    this.to = to;
  }

  isInstance(value: Value): boolean {
    return value instanceof Float && value.value >= this.from && value.value <= this.to;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof FloatType && covers(this.from, this.to, other.from, other.to);
  }
  render(): string {
    const parameters = rangeParameters(this.from, this.to, (bound) => rubyFloat(Number(bound)));
    return parameters.length === 0 ? 'Float' : `Float[${parameters.join(', ')}]`;
  }
  override generalize(): PuppetType {
    return FloatType.DEFAULT;
  }
  merge(other: FloatType): FloatType | undefined {
    if (this.to < other.from || other.to < this.from) return undefined;
    return new FloatType(Math.min(this.from, other.from), Math.max(this.to, other.to));
  }
}
