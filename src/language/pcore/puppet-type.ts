/** The base of every type of the type system. Types are values, too. */

import type { Value } from './value.ts';

/** What calls types by names of its own. */
export interface TypeNamer {
  /** `undefined` for a type that is not among its members. */
  nameFor(type: PuppetType): string | undefined;
}

/** How a type is printed: aliases by name only, or with what they stand for. */
export interface TypeStyle {
  readonly isExpanded: boolean;
  /** Aliases that are being expanded right now: a recursive one is printed by name the second time. */
  readonly active: Set<PuppetType>;
  /** The set of types that is being printed: it names its members without its own name. */
  readonly within?: TypeNamer;
}

/**
 * A data type, for instance `Variant[String[1], Undef]`. Immutable. One subclass for each kind of type,
 * told apart by `kind`, in files of their own under `types/`.
 */
export abstract class PuppetType {
  /** The type's name without parameters: `'Integer'`, `'Variant'`, `'Resource'`, `'TypeAlias'`, ... */
  abstract readonly kind: string;

  /** True when `value` is an instance. On the hot path: must not allocate. */
  abstract isInstance(value: Value): boolean;

  /** The part of `isAssignable` that belongs to this kind: `other` stands for itself, it is no alias or variant. */
  abstract accepts(other: PuppetType): boolean;

  /** The text of the type; `toString` with a style. */
  abstract render(style: TypeStyle): string;

  /** True when every instance of `other` is an instance of this type. */
  isAssignable(other: PuppetType): boolean {
    return other.fits(this);
  }

  /** The other half of `isAssignable`: types that stand for other types ask for each of those. */
  fits(target: PuppetType): boolean {
    return target.accepts(this);
  }

  /** The type as the reference prints it: `Variant[String[1], Undef]`. */
  toString(): string {
    return this.render({ isExpanded: false, active: new Set() });
  }

  /** As `toString`, with each alias followed by `= ` and what it stands for. */
  toExpandedString(): string {
    return this.render({ isExpanded: true, active: new Set() });
  }

  /** The name in messages: `kind`, but the own name of aliases and of Object types. */
  get name(): string {
    return this.kind;
  }

  /** Equal types have equal keys. */
  equalityKey(): string {
    return `Type:${this.toString()}`;
  }

  equals(other: PuppetType): boolean {
    return this === other || (this.kind === other.kind && this.equalityKey() === other.equalityKey());
  }

  /** Without sizes, ranges and values: `Integer[1, 1]` becomes `Integer`. */
  generalize(): PuppetType {
    return this;
  }

  /** The simplest type with the same instances. */
  normalize(): PuppetType {
    return this;
  }

  /** What is iterated over; `undefined` when anything, or nothing (see `isIterable`). */
  iterableElement(): PuppetType | undefined {
    return undefined;
  }

  isIterable(): boolean {
    return false;
  }

  /** True for a Callable, and for variants of nothing else; an Optional counts when `isOptionalAllowed`. */
  isKindOfCallable(_isOptionalAllowed = true): boolean {
    return false;
  }

  /** The types that this one is made of. */
  parts(): readonly PuppetType[] {
    return [];
  }
}
