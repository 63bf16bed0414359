import { PuppetType, type TypeStyle } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { OptionalType } from './optional-types.ts';
import { UndefType } from './plain-types.ts';
import { flattenVariants, mergeVariantTypes, uniqueTypes } from './variant-merge.ts';

/** One of several types. Without any it has no instances, though any variant is assignable to it. */
export class VariantType extends PuppetType {
  static readonly DEFAULT: VariantType = new VariantType([]);
  readonly kind = 'Variant';
  readonly types: readonly PuppetType[];

  constructor(types: readonly PuppetType[]) {
    super();
    this.types = types;
  }

  /** Flattened and without duplicates; a single type stays as it is. */
  static of(types: readonly PuppetType[]): PuppetType {
    const distinct = uniqueTypes(flattenVariants(types));
    const [only] = distinct;
    return distinct.length === 1 && only !== undefined ? only : new VariantType(distinct);
  }

  isInstance(value: Value): boolean {
    for (const type of this.types) if (type.isInstance(value)) return true;
    return false;
  }
  override isAssignable(other: PuppetType): boolean {
    if (this.types.length > 0) return super.isAssignable(other);
    return other instanceof VariantType || (!(other instanceof UndefType) && super.isAssignable(other));
  }
  override fits(target: PuppetType): boolean {
    if (target.kind === 'Any') return true;
    if (this.types.length === 0) return target.kind === 'NotUndef' && target.accepts(this);
    return this.types.every((type) => target.isAssignable(type));
  }
  accepts(other: PuppetType): boolean {
    return this.types.some((type) => type.isAssignable(other));
  }
  render(style: TypeStyle): string {
    if (this.types.length === 0) return 'Variant';
    return `Variant[${this.types.map((type) => type.render(style)).join(', ')}]`;
  }
  override equalityKey(): string {
    const keys = this.types.map((type) => type.equalityKey());
    return `Variant[${keys.sort().join()}]`;
  }
  override generalize(): PuppetType {
    const types = this.types.map((type) => type.generalize());
    return types.every((type, index) => type === this.types[index]) ? this : VariantType.of(types);
  }
  override normalize(): PuppetType {
    if (this.types.length === 0) return this;
    const types = this.types.map((type) => type.normalize());
    const [only] = types;
    if (types.length === 1 && only !== undefined) return only;
    if (types.some((type) => type instanceof UndefType || type instanceof OptionalType)) {
      const defined = types.filter((type) => !(type instanceof UndefType));
      const inner = defined.map((type) => (type instanceof OptionalType ? (type.type ?? type) : type));
      return new OptionalType(VariantType.of(inner)).normalize();
    }
    const merged = mergeVariantTypes(types, VariantType.of);
    if (merged.length === 1) return merged[0] ?? this;
    // Merging changes the order; it only counts when something came of it.
    const isSame = types.every((type, index) => type === this.types[index]);
    return isSame && merged.length === flattenVariants(types).length ? this : VariantType.of(merged);
  }
  override isKindOfCallable(isOptionalAllowed = true): boolean {
    return this.types.every((type) => type.isKindOfCallable(isOptionalAllowed));
  }
  override parts(): readonly PuppetType[] {
    return this.types;
  }
}
