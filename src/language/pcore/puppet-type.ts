/** The base of every type of the type system. Types are values, too. */

import type { Value } from './value.ts';

/**
 * A data type, for instance `Variant[String[1], Undef]`. Immutable. One subclass for each kind of type,
 * told apart by `kind`, in files of their own under `types/`.
 */
export abstract class PuppetType {
  /** The type's name without parameters: `'Integer'`, `'Variant'`, `'Resource'`, `'TypeAlias'`, ... */
  abstract readonly kind: string;

  /** True when `value` is an instance. On the hot path: must not allocate. */
  abstract isInstance(value: Value): boolean;

  /** True when every instance of `other` is an instance of this type. */
  abstract isAssignable(other: PuppetType): boolean;

  /** The type as the reference prints it: `Variant[String[1], Undef]`. */
  abstract toString(): string;

  /** Equal types have equal keys. */
  equalityKey(): string {
    return `Type:${this.toString()}`;
  }
}
