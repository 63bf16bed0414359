/** The types without parameters or relations: Any, Unit, Undef, Default, CatalogEntry. */

import { PuppetType } from '../puppet-type.ts';
import { isDefault, type Value } from '../value.ts';

export class AnyType extends PuppetType {
  static readonly DEFAULT: AnyType = new AnyType();
  readonly kind = 'Any';
  isInstance(_value: Value): boolean {
    return true;
  }
  accepts(_other: PuppetType): boolean {
    return true;
  }
  render(): string {
    return this.kind;
  }
}

/** The type without instances, as of the elements of an empty array. Assignable both ways with everything. */
export class UnitType extends PuppetType {
  static readonly DEFAULT: UnitType = new UnitType();
  readonly kind = 'Unit';
  isInstance(_value: Value): boolean {
    return true;
  }
  override isAssignable(_other: PuppetType): boolean {
    return true;
  }
  override fits(_target: PuppetType): boolean {
    return true;
  }
  accepts(_other: PuppetType): boolean {
    return true;
  }
  render(): string {
    return this.kind;
  }
}

export class UndefType extends PuppetType {
  static readonly DEFAULT: UndefType = new UndefType();
  readonly kind = 'Undef';
  isInstance(value: Value): boolean {
    return value === null;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof UndefType;
  }
  render(): string {
    return this.kind;
  }
}

export class DefaultType extends PuppetType {
  static readonly DEFAULT: DefaultType = new DefaultType();
  readonly kind = 'Default';
  isInstance(value: Value): boolean {
    return isDefault(value);
  }
  accepts(other: PuppetType): boolean {
    return other instanceof DefaultType;
  }
  render(): string {
    return this.kind;
  }
}

/** Everything that has a place in a catalog. Only the types Class and Resource are assignable; no value is one. */
export class CatalogEntryType extends PuppetType {
  static readonly DEFAULT: CatalogEntryType = new CatalogEntryType();
  readonly kind = 'CatalogEntry';
  isInstance(_value: Value): boolean {
    return false;
  }
  accepts(other: PuppetType): boolean {
    return other.kind === 'CatalogEntry' || other.kind === 'Class' || other.kind === 'Resource';
  }
  render(): string {
    return this.kind;
  }
}
