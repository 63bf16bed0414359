/** Optional and NotUndef: they add undef to a type, or take it away. */

import type { PuppetType, TypeStyle } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { puppetQuote } from '../values/quote.ts';
import { ContainingType } from './containing-type.ts';
import { UndefType } from './plain-types.ts';
import { StringType } from './string-type.ts';

/** A literal string inside prints as the string: `Optional['a']`. */
function renderContent(kind: string, type: PuppetType | undefined, style: TypeStyle): string {
  if (type === undefined) return kind;
  if (type instanceof StringType && type.value !== undefined) return `${kind}[${puppetQuote(type.value)}]`;
  return `${kind}[${type.render(style)}]`;
}

export class OptionalType extends ContainingType {
  static readonly DEFAULT: OptionalType = new OptionalType();
  readonly kind = 'Optional';
  isInstance(value: Value): boolean {
    return value === null || (this.type !== undefined && this.type.isInstance(value));
  }
  override fits(target: PuppetType): boolean {
    return (
      target.isAssignable(UndefType.DEFAULT) && (this.type === undefined || target.isAssignable(this.type))
    );
  }
  accepts(other: PuppetType): boolean {
    return other instanceof UndefType || this.type === undefined || this.type.isAssignable(other);
  }
  override render(style: TypeStyle): string {
    return renderContent(this.kind, this.type, style);
  }
  override isKindOfCallable(isOptionalAllowed = true): boolean {
    return isOptionalAllowed && this.type !== undefined && this.type.isKindOfCallable(isOptionalAllowed);
  }
  override normalize(): PuppetType {
    const type = this.type?.normalize();
    if (type === undefined) return this;
    if (type instanceof NotUndefType) return new OptionalType(type.type).normalize();
    if (type.isAssignable(UndefType.DEFAULT)) return type;
    return type === this.type ? this : new OptionalType(type);
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new OptionalType(type);
  }
}

export class NotUndefType extends ContainingType {
  static readonly DEFAULT: NotUndefType = new NotUndefType();
  readonly kind = 'NotUndef';
  constructor(type?: PuppetType) {
    super(type?.kind === 'Any' ? undefined : type);
  }
  isInstance(value: Value): boolean {
    return value !== null && (this.type === undefined || this.type.isInstance(value));
  }
  override fits(target: PuppetType): boolean {
    if (this.type === undefined || this.type.isAssignable(UndefType.DEFAULT)) return target.accepts(this);
    return target.isAssignable(this.type);
  }
  accepts(other: PuppetType): boolean {
    if (other.isAssignable(UndefType.DEFAULT)) return false;
    return this.type === undefined || this.type.isAssignable(other);
  }
  override render(style: TypeStyle): string {
    return renderContent(this.kind, this.type, style);
  }
  override normalize(): PuppetType {
    const type = this.type?.normalize();
    if (type === undefined) return this;
    if (type instanceof OptionalType) return new NotUndefType(type.type).normalize();
    if (!type.isAssignable(UndefType.DEFAULT)) return type;
    return type === this.type ? this : new NotUndefType(type);
  }
  protected around(type: PuppetType | undefined): PuppetType {
    return new NotUndefType(type);
  }
}
