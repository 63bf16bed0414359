import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { characterCount } from '../values/character-count.ts';
import { covers, rangeParameters } from './bound.ts';
import { EnumType } from './enum-type.ts';
import { IntegerType } from './number-types.ts';
import { PatternType } from './pattern-type.ts';

/** `String`, `String[1, 5]`, or the type of exactly one string (which prints as `String`). */
export class StringType extends PuppetType {
  static readonly DEFAULT: StringType = new StringType();
  static readonly NON_EMPTY: StringType = new StringType(IntegerType.POSITIVE);
  readonly kind = 'String';
  /** The number of characters; absent when any, or when there is a `value`. */
  readonly sizeType: IntegerType | undefined;
  readonly value: string | undefined;
  /** The value when it is bytes; `value` has one character for each. */
  readonly bytes: ByteString | undefined;

  constructor(sizeOrValue?: IntegerType | string, bytes?: ByteString) {
    super();
    this.sizeType = sizeOrValue instanceof IntegerType ? sizeOrValue.toSize() : undefined;
    this.bytes = bytes;
    this.value = typeof sizeOrValue === 'string' ? sizeOrValue : undefined;
  }

  /** Strings with as many characters as `size` says. */
  static ofSize(size: IntegerType): StringType {
    return new StringType(size);
  }

  /** The type of exactly these bytes. */
  static ofBytes(bytes: ByteString): StringType {
    return new StringType(bytes.text, bytes);
  }

  isInstance(value: Value): boolean {
    if (typeof value !== 'string') return value instanceof ByteString && this.isInstance(value.text);
    if (this.value !== undefined) return this.value === value;
    if (this.sizeType === undefined) return true;
    const { from, to } = this.sizeType;
    // The common String[1] needs no counting.
    if (to === Infinity && from <= 1) return value.length >= from;
    const count = characterCount(value);
    return count >= from && count <= to;
  }

  accepts(other: PuppetType): boolean {
    if (other instanceof StringType) {
      if (this.sizeType !== undefined) return this.sizeType.isAssignable(other.derivedSize());
      return this.value === undefined || (this.value === other.value && other.sizeType === undefined);
    }
    if (other instanceof EnumType) return this.acceptsEnum(other);
    if (other instanceof PatternType) return this.value === undefined && this.acceptsAnySize();
    return false;
  }

  private acceptsEnum(other: EnumType): boolean {
    if (this.sizeType === undefined) {
      return this.value === undefined || (other.values.length === 1 && !other.isCaseInsensitive);
    }
    if (other.values.length === 0) return this.acceptsAnySize();
    const sizes = other.sizes();
    return covers(this.sizeType.from, this.sizeType.to, sizes.from, sizes.to);
  }

  private acceptsAnySize(): boolean {
    return this.sizeType === undefined || this.sizeType.isAssignable(IntegerType.NOT_NEGATIVE);
  }

  /** The sizes that instances have. */
  derivedSize(): IntegerType {
    if (this.value === undefined) return this.sizeType ?? IntegerType.NOT_NEGATIVE;
    const count = characterCount(this.value);
    return new IntegerType(count, count);
  }

  render(): string {
    if (this.sizeType === undefined) return 'String';
    const parameters = rangeParameters(this.sizeType.from, this.sizeType.to);
    return `String[${parameters.join(', ')}]`;
  }
  override equalityKey(): string {
    return this.value === undefined ? this.render() : `String=${this.value}`;
  }
  override generalize(): PuppetType {
    return StringType.DEFAULT;
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType {
    return new StringType(new IntegerType(1, 1));
  }
}
