import type { PuppetType } from '../puppet-type.ts';
import { IteratorType } from '../types/iterable-types.ts';
import { IntegerType } from '../types/number-types.ts';
import { OpaqueValue, type Value } from '../value.ts';
import { itemsOf } from './most-items.ts';

/** A sequence of values that are made when they are asked for. It can be gone through more than once. */
export class IteratorValue extends OpaqueValue {
  /** The type of the elements; absent when not known. */
  readonly elementType: PuppetType | undefined;
  /** Elements are `[key, value]` of a hash: lambdas may take them apart. */
  readonly isHashStyle: boolean;
  /** The name of its class in the reference, which some messages contain. */
  readonly className: string = 'Puppet::Pops::Types::Iterator';
  private readonly source: () => Iterable<Value>;

  constructor(elementType: PuppetType | undefined, source: () => Iterable<Value>, isHashStyle = false) {
    super();
    this.elementType = elementType;
    this.source = source;
    this.isHashStyle = isHashStyle;
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.source()[Symbol.iterator]();
  }

  toArray(): readonly Value[] {
    return itemsOf(this);
  }

  /** Every `size`-th element, the first included. */
  step(size: number): IteratorValue {
    return new IteratorValue(this.elementType, () => everyNth(this.source(), size));
  }

  reversed(): IteratorValue {
    return new IteratorValue(this.elementType, () => this.toArray().toReversed());
  }

  override inferType(): PuppetType {
    return new IteratorType(this.elementType);
  }

  override toString(): string {
    if (this.elementType === undefined) return 'Iterator-Value';
    return `Iterator[${this.elementType.generalize().toString()}]-Value`;
  }
  /** Two sequences are the same only when their elements are. */
  equalityKey(): string {
    return `Iterator:${this.toArray().map(String).join()}`;
  }
}

function* everyNth(source: Iterable<Value>, size: number): IterableIterator<Value> {
  let index = 0;
  for (const value of source) {
    if (index % size === 0) yield value;
    index += 1;
  }
}

/** The integers of a range, both ends included. */
export class IntegerRange {
  private readonly from: number;
  private readonly to: number;
  private readonly stepSize: number;

  /** @param stepSize - negative to count down from `to` */
  constructor(from: number, to: number, stepSize = 1) {
    this.from = from;
    this.to = to;
    this.stepSize = stepSize;
  }

  toIterator(): IteratorValue {
    return new RangeIterator(this);
  }

  *[Symbol.iterator](): IterableIterator<Value> {
    const { from, to, stepSize } = this;
    if (stepSize > 0) for (let value = from; value <= to; value += stepSize) yield value;
    else for (let value = to; value >= from; value += stepSize) yield value;
  }

  get type(): IntegerType {
    return new IntegerType(this.from, this.to);
  }

  /** Steps narrow the range, as in the reference. */
  step(size: number): IntegerRange {
    const stepSize = this.stepSize * size;
    const rest = (this.to - this.from) % Math.abs(stepSize);
    if (rest === 0) return new IntegerRange(this.from, this.to, stepSize);
    return stepSize < 0
      ? new IntegerRange(this.from + rest, this.to, stepSize)
      : new IntegerRange(this.from, this.to - rest, stepSize);
  }
  reversed(): IntegerRange {
    return new IntegerRange(this.from, this.to, -this.stepSize);
  }
}

class RangeIterator extends IteratorValue {
  override readonly className: string = 'Puppet::Pops::Types::IntegerRangeIterator';
  private readonly range: IntegerRange;
  constructor(range: IntegerRange) {
    super(range.type, () => range);
    this.range = range;
  }
  override step(size: number): IteratorValue {
    return new RangeIterator(this.range.step(size));
  }
  override reversed(): IteratorValue {
    return new RangeIterator(this.range.reversed());
  }
}
