import type { PuppetType, TypeStyle } from '../puppet-type.ts';
import { PuppetHash, type Value } from '../value.ts';
import { SizedType } from './collection-type.ts';
import { IntegerType } from './number-types.ts';
import { AnyType, UnitType } from './plain-types.ts';
import { StructType } from './struct-type.ts';
import { TupleType } from './tuple-type.ts';

export class HashType extends SizedType {
  static readonly DEFAULT: HashType = new HashType();
  static readonly EMPTY: HashType = new HashType(UnitType.DEFAULT, UnitType.DEFAULT, IntegerType.ZERO);
  readonly kind = 'Hash';
  readonly keyType: PuppetType;
  readonly valueType: PuppetType;

  constructor(
    keyType: PuppetType = AnyType.DEFAULT,
    valueType: PuppetType = AnyType.DEFAULT,
    sizeType?: IntegerType,
  ) {
    super(sizeType);
    const isEmpty = sizeType !== undefined && sizeType.from === 0 && sizeType.to === 0;
    this.keyType = isEmpty ? UnitType.DEFAULT : keyType;
    this.valueType = isEmpty ? UnitType.DEFAULT : valueType;
  }

  isInstance(value: Value): boolean {
    if (!(value instanceof PuppetHash) || !this.acceptsSize(value.size)) return false;
    if (this.keyType === AnyType.DEFAULT && this.valueType === AnyType.DEFAULT) return true;
    for (const [key, item] of value) {
      if (!this.keyType.isInstance(key) || !this.valueType.isInstance(item)) return false;
    }
    return true;
  }

  accepts(other: PuppetType): boolean {
    if (other instanceof HashType) {
      if (other.isTheEmptyHash && this.size.from === 0) return true;
      return (
        this.keyType.isAssignable(other.keyType) &&
        this.valueType.isAssignable(other.valueType) &&
        this.size.isAssignable(other.size)
      );
    }
    if (!(other instanceof StructType) || !this.acceptsSize(other.elements.length)) return false;
    return other.elements.every(
      (element) => this.keyType.isInstance(element.name) && this.valueType.isAssignable(element.valueType),
    );
  }

  get isTheEmptyHash(): boolean {
    return this.isAlwaysEmpty;
  }

  render(style: TypeStyle): string {
    if (this.isAlwaysEmpty) return 'Hash[0, 0]';
    if (this.isOfAny && this.sizeType === undefined) return 'Hash';
    return `Hash[${[this.keyType.render(style), this.valueType.render(style), ...this.sizeParameters()].join(', ')}]`;
  }
  private get isOfAny(): boolean {
    return this.keyType.kind === 'Any' && this.valueType.kind === 'Any';
  }
  override equalityKey(): string {
    return `Hash[${this.keyType.equalityKey()},${this.valueType.equalityKey()}${this.sizeKey}]`;
  }
  override generalize(): PuppetType {
    if (this.isTheEmptyHash) return this;
    const [key, value] = [this.keyType.generalize(), this.valueType.generalize()];
    if (this.sizeType === undefined && key === this.keyType && value === this.valueType) return this;
    return new HashType(key, value);
  }
  override normalize(): PuppetType {
    const [key, value] = [this.keyType.normalize(), this.valueType.normalize()];
    return key === this.keyType && value === this.valueType ? this : new HashType(key, value, this.sizeType);
  }
  override iterableElement(): PuppetType {
    const isPlain = (this.isOfAny && this.sizeType === undefined) || this.isTheEmptyHash;
    const types = isPlain ? [UnitType.DEFAULT, UnitType.DEFAULT] : [this.keyType, this.valueType];
    return new TupleType(types, new IntegerType(2, 2));
  }
  override parts(): readonly PuppetType[] {
    return [this.keyType, this.valueType];
  }
}
