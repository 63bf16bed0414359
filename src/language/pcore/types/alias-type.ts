import { fault } from '../fault.ts';
import { PuppetType, type TypeNamer, type TypeStyle } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { TypeReferenceType } from './reference-types.ts';
import { VariantType } from './variant-type.ts';

/** Names that the reference never explains in messages. */
const BUILTIN: ReadonlySet<string> = new Set([
  'Data',
  'RichData',
  'RichDataKey',
  'Puppet::LookupKey',
  'Puppet::LookupValue',
]);

/** A named type. What it stands for is found out at first use, so that aliases may refer to themselves. */
export class AliasType extends PuppetType {
  readonly kind = 'TypeAlias';
  private readonly aliasName: string;
  private readonly resolve: () => PuppetType;
  private readonly isNormalized: boolean;
  private target: PuppetType | undefined;
  private isSelfRecursive = true;
  /** Values and types that are being compared with this alias right now: recursion ends at the same one. */
  private readonly pendingValues: Value[] = [];
  private readonly pendingTypes: PuppetType[] = [];

  /**
   * @param resolve - may refer to the alias itself, and may be called again until it is first used
   * @param isNormalized - whether what it stands for is brought into its simplest form, as declared aliases are
   */
  constructor(name: string, resolve: () => PuppetType, isNormalized = true) {
    super();
    this.isNormalized = isNormalized;
    this.aliasName = name;
    this.resolve = resolve;
  }

  override get name(): string {
    return this.aliasName;
  }

  /** @throws PuppetError when the alias stands for nothing but itself, or what it stands for is wrong */
  get resolved(): PuppetType {
    if (this.target !== undefined) return this.target;
    // While it is being found out, the alias has no instances.
    this.target = TypeReferenceType.DEFAULT;
    try {
      const found = this.resolve();
      this.target = this.isNormalized ? found.normalize() : found;
      if (!isReal(this)) throw fault(`Type alias '${firstInCircle(this)}' cannot be resolved to a real type`);
      this.isSelfRecursive = reaches(this.target, this);
      if (this.isSelfRecursive) this.dropSelf();
    } catch (error) {
      this.target = undefined;
      throw error;
    }
    return this.target;
  }

  /** What it stands for, be it real or not: of several that go round in a circle the first one asked is blamed. */
  unchecked(): PuppetType {
    return this.target ?? this.resolve();
  }

  /** In `Variant[A, Integer]` the alias A itself adds nothing. */
  private dropSelf(): void {
    if (!(this.target instanceof VariantType)) return;
    const others = this.target.types.filter((type) => type !== this && isReal(type));
    if (others.length === this.target.types.length) return;
    this.target = VariantType.of(others);
    this.isSelfRecursive = reaches(this.target, this);
  }

  isInstance(value: Value): boolean {
    const target = this.resolved;
    if (!this.isSelfRecursive) return target.isInstance(value);
    if (this.pendingValues.includes(value)) return false;
    this.pendingValues.push(value);
    try {
      return target.isInstance(value);
    } finally {
      this.pendingValues.pop();
    }
  }

  override isAssignable(other: PuppetType): boolean {
    if (other === this) return true;
    const target = this.resolved;
    if (!this.isSelfRecursive) return other.fits(target);
    // Both have come round to where they were: nothing spoke against it.
    if (this.pendingTypes.includes(other)) return true;
    this.pendingTypes.push(other);
    try {
      return other.fits(target);
    } finally {
      this.pendingTypes.pop();
    }
  }
  override fits(target: PuppetType): boolean {
    return target.isAssignable(this.resolved);
  }
  accepts(other: PuppetType): boolean {
    return this.resolved.isAssignable(other);
  }

  render(style: TypeStyle): string {
    if (style.within !== undefined) return this.renderMember(style, style.within);
    if (!style.isExpanded || BUILTIN.has(this.aliasName) || style.active.has(this)) return this.aliasName;
    style.active.add(this);
    const text = `${this.aliasName} = ${this.resolved.render(style)}`;
    style.active.delete(this);
    return text;
  }
  /** A set of types shows what its members stand for, and all others by name. */
  private renderMember(style: TypeStyle, set: TypeNamer): string {
    const name = set.nameFor(this);
    if (name === undefined || !style.isExpanded || style.active.has(this)) return name ?? this.aliasName;
    style.active.add(this);
    const text = this.resolved.render(style);
    style.active.delete(this);
    return text;
  }
  override toString(): string {
    return this.toExpandedString();
  }
  override equalityKey(): string {
    return `TypeAlias:${this.aliasName}`;
  }
  override isIterable(): boolean {
    return this.resolved.isIterable();
  }
  override iterableElement(): PuppetType | undefined {
    return this.resolved.iterableElement();
  }
  override isKindOfCallable(isOptionalAllowed = true): boolean {
    // An alias that contains itself is data, never a function.
    const target = this.resolved;
    return !this.isSelfRecursive && target.isKindOfCallable(isOptionalAllowed);
  }
  override parts(): readonly PuppetType[] {
    return [this.resolved];
  }
}

/** `type` without the aliases around it. */
export function withoutAlias(type: PuppetType): PuppetType {
  return type instanceof AliasType ? withoutAlias(type.resolved) : type;
}

/** Whether there is anything but aliases and variants in `type`. */
function isReal(type: PuppetType, seen: Set<PuppetType> = new Set()): boolean {
  if (!(type instanceof AliasType) && !(type instanceof VariantType)) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  const parts = type instanceof AliasType ? [type.unchecked()] : type.parts();
  return parts.some((part) => isReal(part, seen));
}

/** The alias to blame where aliases go round in a circle, which `alias` may only lead to. */
function firstInCircle(alias: AliasType): string {
  const seen = new Set<PuppetType>();
  let current: PuppetType = alias;
  while (current instanceof AliasType && !seen.has(current)) {
    seen.add(current);
    current = current.unchecked();
  }
  return current instanceof AliasType ? current.name : alias.name;
}

function reaches(type: PuppetType, wanted: PuppetType, seen: Set<PuppetType> = new Set()): boolean {
  if (type === wanted) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  return type.parts().some((part) => reaches(part, wanted, seen));
}
