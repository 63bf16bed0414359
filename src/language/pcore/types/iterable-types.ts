/** Iterable and Iterator. */

import { infer } from '../infer.ts';
import { PuppetType } from '../puppet-type.ts';
import { isArray, isInteger, PuppetHash, type Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { IteratorValue } from '../values/iterator-value.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { AliasType } from './alias-type.ts';
import { ContainingType } from './containing-type.ts';
import { EnumType } from './enum-type.ts';
import { IntegerType } from './number-types.ts';
import { AnyType } from './plain-types.ts';

/** Whatever can be iterated over. */
export class IterableType extends ContainingType {
  static readonly DEFAULT: IterableType = new IterableType();
  readonly kind = 'Iterable';
  isInstance(value: Value): boolean {
    if (this.isOfAny || value instanceof ObjectInstance) return isIterableValue(value);
    return this.isAssignable(infer(value));
  }
  accepts(other: PuppetType): boolean {
    if (this.isOfAny) return other.isIterable();
    const element = other.iterableElement();
    return element !== undefined && this.type?.isAssignable(element) === true;
  }
  private get isOfAny(): boolean {
    return this.type === undefined || this.type.isAssignable(AnyType.DEFAULT);
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType | undefined {
    return this.type;
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new IterableType(type);
  }
}

function isIterableValue(value: Value): boolean {
  if (isInteger(value)) return value >= 0;
  if (value instanceof PuppetType) return isIterableTypeValue(value);
  return (
    typeof value === 'string' ||
    value instanceof ByteString ||
    isArray(value) ||
    value instanceof PuppetHash ||
    value instanceof IteratorValue ||
    (value instanceof ObjectInstance && value.items() !== undefined)
  );
}

function isIterableTypeValue(type: PuppetType): boolean {
  if (type instanceof AliasType) return isIterableValue(type.resolved);
  return type instanceof EnumType || (type instanceof IntegerType && type.isFinite);
}

/** The lazy results of iteration functions. */
export class IteratorType extends ContainingType {
  static readonly DEFAULT: IteratorType = new IteratorType();
  readonly kind = 'Iterator';
  isInstance(value: Value): boolean {
    if (!(value instanceof IteratorValue)) return false;
    return this.type === undefined || this.type.isAssignable(value.elementType ?? AnyType.DEFAULT);
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof IteratorType)) return false;
    return this.type === undefined || this.type.isAssignable(other.type ?? AnyType.DEFAULT);
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType | undefined {
    return this.type;
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new IteratorType(type);
  }
}
