import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { ContainingType } from './containing-type.ts';
import { EnumType } from './enum-type.ts';
import { IntegerType } from './number-types.ts';

/** The type of types: `Type[Integer]` is the type of `Integer` and of every type assignable to it. */
export class TypeType extends ContainingType {
  static readonly DEFAULT: TypeType = new TypeType();
  readonly kind = 'Type';
  isInstance(value: Value): boolean {
    return value instanceof PuppetType && (this.type === undefined || this.type.isAssignable(value));
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof TypeType)) return false;
    if (this.type === undefined) return true;
    return other.type !== undefined && this.type.isAssignable(other.type);
  }
  override isIterable(): boolean {
    return this.type instanceof EnumType || (this.type instanceof IntegerType && this.type.isFinite);
  }
  override iterableElement(): PuppetType | undefined {
    return this.isIterable() ? this.type : undefined;
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new TypeType(type);
  }
}
