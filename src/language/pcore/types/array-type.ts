import type { PuppetType, TypeStyle } from '../puppet-type.ts';
import { isArray, type Value } from '../value.ts';
import { SizedType } from './collection-type.ts';
import { IntegerType } from './number-types.ts';
import { AnyType, UnitType } from './plain-types.ts';
import { TupleType } from './tuple-type.ts';

export class ArrayType extends SizedType {
  static readonly DEFAULT: ArrayType = new ArrayType();
  static readonly EMPTY: ArrayType = new ArrayType(UnitType.DEFAULT, IntegerType.ZERO);
  readonly kind = 'Array';
  readonly elementType: PuppetType;

  constructor(elementType: PuppetType = AnyType.DEFAULT, sizeType?: IntegerType) {
    super(sizeType);
    const isEmpty = sizeType !== undefined && sizeType.from === 0 && sizeType.to === 0;
    this.elementType = isEmpty ? UnitType.DEFAULT : elementType;
  }

  isInstance(value: Value): boolean {
    if (!isArray(value) || !this.acceptsSize(value.length)) return false;
    if (this.elementType === AnyType.DEFAULT) return true;
    for (const element of value) if (!this.elementType.isInstance(element)) return false;
    return true;
  }
  accepts(other: PuppetType): boolean {
    if (other instanceof TupleType) {
      const size = other.sizeType ?? new IntegerType(other.types.length, other.types.length);
      return this.size.isAssignable(size) && other.types.every((type) => this.elementType.isAssignable(type));
    }
    if (!(other instanceof ArrayType)) return false;
    return this.size.isAssignable(other.size) && this.elementType.isAssignable(other.elementType);
  }
  render(style: TypeStyle): string {
    if (this.isAlwaysEmpty) return 'Array[0, 0]';
    if (this.sizeType === undefined && this.elementType.kind === 'Any') return 'Array';
    return `Array[${[this.elementType.render(style), ...this.sizeParameters()].join(', ')}]`;
  }
  override equalityKey(): string {
    return `Array[${this.elementType.equalityKey()}${this.sizeKey}]`;
  }
  override generalize(): PuppetType {
    if (this.elementType.kind === 'Any') return ArrayType.DEFAULT;
    const element = this.elementType.generalize();
    return this.sizeType === undefined && element === this.elementType ? this : new ArrayType(element);
  }
  override normalize(): PuppetType {
    // The reference drops the size of an Array of Any here.
    if (this.elementType.kind === 'Any') return ArrayType.DEFAULT;
    const element = this.elementType.normalize();
    return element === this.elementType ? this : new ArrayType(element, this.sizeType);
  }
  override iterableElement(): PuppetType | undefined {
    return this.elementType.kind === 'Any' ? undefined : this.elementType;
  }
  override parts(): readonly PuppetType[] {
    return [this.elementType];
  }
}
