import { PuppetType } from '../puppet-type.ts';
import { isArray, PuppetHash, type Value } from '../value.ts';
import { rangeParameters } from './bound.ts';
import { IntegerType } from './number-types.ts';

/** What Collection, Array and Hash have in common: a range of sizes. */
export abstract class SizedType extends PuppetType {
  /** Absent when any size will do. */
  readonly sizeType: IntegerType | undefined;
  constructor(sizeType?: IntegerType) {
    super();
    this.sizeType = sizeType?.toSize();
  }
  /** The range of sizes. */
  get size(): IntegerType {
    return this.sizeType ?? IntegerType.NOT_NEGATIVE;
  }
  get isAlwaysEmpty(): boolean {
    return this.sizeType !== undefined && this.sizeType.from === 0 && this.sizeType.to === 0;
  }
  protected acceptsSize(count: number): boolean {
    return this.sizeType === undefined || (count >= this.sizeType.from && count <= this.sizeType.to);
  }
  protected sizeParameters(): readonly string[] {
    return this.sizeType === undefined ? [] : rangeParameters(this.sizeType.from, this.sizeType.to);
  }
  protected get sizeKey(): string {
    return this.sizeType === undefined ? '' : `,${this.sizeType.from}..${this.sizeType.to}`;
  }
  override isIterable(): boolean {
    return true;
  }
}

/** Types that know which sizes their instances have; Tuple and Struct, which are not `SizedType`s, too. */
export interface HasSize {
  readonly size: IntegerType;
}

const KINDS: ReadonlySet<string> = new Set(['Collection', 'Array', 'Hash', 'Tuple', 'Struct']);

export class CollectionType extends SizedType {
  static readonly DEFAULT: CollectionType = new CollectionType();
  readonly kind = 'Collection';
  isInstance(value: Value): boolean {
    if (isArray(value)) return this.acceptsSize(value.length);
    return value instanceof PuppetHash && this.acceptsSize(value.size);
  }
  accepts(other: PuppetType): boolean {
    if (!KINDS.has(other.kind)) return false;
    // A Tuple without types counts as empty here.
    const isEmptyTuple = other.kind === 'Tuple' && other.parts().length === 0;
    return this.size.isAssignable(isEmptyTuple ? IntegerType.ZERO : (other as PuppetType & HasSize).size);
  }
  render(): string {
    const parameters = this.sizeParameters();
    return parameters.length === 0 ? 'Collection' : `Collection[${parameters.join(', ')}]`;
  }
  override equalityKey(): string {
    return `Collection${this.sizeKey}`;
  }
  override generalize(): PuppetType {
    return CollectionType.DEFAULT;
  }
  override normalize(): PuppetType {
    return CollectionType.DEFAULT;
  }
}
