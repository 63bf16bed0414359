import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import { isArray, type Value } from '../value.ts';
import { ArrayType } from './array-type.ts';
import { type Bound, rangeParameters } from './bound.ts';
import { IntegerType } from './number-types.ts';
import { VariantType } from './variant-type.ts';

/** An array with a type for each place; the last type counts for all further places that the size allows. */
export class TupleType extends PuppetType {
  static readonly DEFAULT: TupleType = new TupleType([]);
  readonly kind = 'Tuple';
  readonly types: readonly PuppetType[];
  /** Absent when there are exactly as many elements as types. */
  readonly sizeType: IntegerType | undefined;

  constructor(types: readonly PuppetType[], sizeType?: IntegerType) {
    super();
    this.types = types;
    this.sizeType = sizeType?.toSize();
  }

  /** The range of sizes; any for a Tuple without types. */
  get size(): IntegerType {
    if (this.sizeType !== undefined) return this.sizeType;
    const count = this.types.length;
    return count === 0 ? IntegerType.NOT_NEGATIVE : new IntegerType(count, count);
  }

  /** The type of the element at `index`, as if the last type were repeated without end. */
  typeAt(index: number): PuppetType | undefined {
    return this.types[index] ?? this.types.at(-1);
  }

  isInstance(value: Value): boolean {
    if (!isArray(value)) return false;
    if (this.sizeType !== undefined) {
      if (value.length < this.sizeType.from || value.length > this.sizeType.to) return false;
    } else if (this.types.length > 0 && this.types.length !== value.length) return false;
    for (let index = 0; index < value.length; index += 1) {
      const element = value[index];
      if (element !== undefined && this.typeAt(index)?.isInstance(element) === false) return false;
    }
    return true;
  }

  accepts(other: PuppetType): boolean {
    if (other instanceof TupleType) return this.acceptsTuple(other);
    if (!(other instanceof ArrayType) || !this.size.isAssignable(other.size)) return false;
    const count: Bound = this.types.length < other.size.to ? this.types.length : other.size.to;
    for (let index = 0; index < count; index += 1) {
      if (this.typeAt(index)?.isAssignable(other.elementType) === false) return false;
    }
    return true;
  }

  private acceptsTuple(other: TupleType): boolean {
    if (this === other) return true;
    if (!this.size.isAssignable(other.size)) return false;
    if (this.types.length === 0) return true;
    if (other.types.length === 0) return this.size.from === 0;
    return other.types.every((type, index) => this.typeAt(index)?.isAssignable(type) !== false);
  }

  render(style: TypeStyle): string {
    if (this.types.length === 0) return 'Tuple';
    const sizes = this.sizeType === undefined ? [] : rangeParameters(this.sizeType.from, this.sizeType.to);
    return `Tuple[${[...this.types.map((type) => type.render(style)), ...sizes].join(', ')}]`;
  }
  override equalityKey(): string {
    const size = this.sizeType === undefined ? '' : `${this.sizeType.from}..${this.sizeType.to}`;
    return `Tuple[${this.types.map((type) => type.equalityKey()).join()};${size}]`;
  }
  override generalize(): PuppetType {
    return this.map((type) => type.generalize());
  }
  override normalize(): PuppetType {
    return this.map((type) => type.normalize());
  }
  private map(change: (type: PuppetType) => PuppetType): PuppetType {
    const types = this.types.map(change);
    return types.every((type, index) => type === this.types[index])
      ? this
      : new TupleType(types, this.sizeType);
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType {
    return VariantType.of(this.types);
  }
  override parts(): readonly PuppetType[] {
    return this.types;
  }
}
