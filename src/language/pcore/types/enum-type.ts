import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { asciiCaseEquals } from '../values/case-compare.ts';
import { characterCount } from '../values/character-count.ts';
import { puppetQuote } from '../values/quote.ts';
import { IntegerType } from './number-types.ts';
import { StringType } from './string-type.ts';

/** One of some strings; without values, any string. The values are sorted and without duplicates. */
export class EnumType extends PuppetType {
  static readonly DEFAULT: EnumType = new EnumType([]);
  readonly kind = 'Enum';
  readonly values: readonly string[];
  readonly isCaseInsensitive: boolean;
  private readonly known: ReadonlySet<string>;

  constructor(values: readonly string[], isCaseInsensitive = false) {
    super();
    this.known = new Set(values);
    this.values = [...this.known].sort(byCodePoint);
    this.isCaseInsensitive = isCaseInsensitive;
  }

  isInstance(value: Value): boolean {
    if (typeof value !== 'string')
      return value instanceof ByteString && value.isAscii && this.isInstance(value.text);
    if (this.known.has(value)) return true;
    return this.isCaseInsensitive && this.values.some((known) => asciiCaseEquals(known, value));
  }

  accepts(other: PuppetType): boolean {
    if (this.values.length === 0 && ['String', 'Enum', 'Pattern'].includes(other.kind)) return true;
    if (other instanceof StringType) return other.value !== undefined && this.isInstance(other.value);
    if (!(other instanceof EnumType)) return false;
    if (other.values.length === 0 || (other.isCaseInsensitive && !this.isCaseInsensitive)) return false;
    return other.values.every((value) => this.isInstance(value));
  }

  /** The smallest and the greatest number of characters among the values. */
  sizes(): IntegerType {
    const counts = this.values.map(characterCount);
    return new IntegerType(Math.min(...counts), Math.max(...counts));
  }

  render(): string {
    if (this.values.length === 0) return 'Enum';
    const parameters = this.values.map((value) => puppetQuote(value));
    return `Enum[${[...parameters, ...(this.isCaseInsensitive ? ['true'] : [])].join(', ')}]`;
  }
  override generalize(): PuppetType {
    return this.values.length === 0 ? StringType.DEFAULT : new StringType(this.sizes());
  }
  override isIterable(): boolean {
    return true;
  }
  override iterableElement(): PuppetType {
    return new StringType(new IntegerType(1, 1));
  }
}

/** Ruby compares bytes; UTF-8 keeps the order of code points, UTF-16 does not. */
function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const left = Array.from(a);
  const right = Array.from(b);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
