import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { ByteString, subjectOf } from '../values/byte-string.ts';
import type { RegexpValue } from '../values/regexp-value.ts';
import { EnumType } from './enum-type.ts';
import { StringType } from './string-type.ts';

/** A string that matches one of some regular expressions; without any, each string. */
export class PatternType extends PuppetType {
  static readonly DEFAULT: PatternType = new PatternType([]);
  readonly kind = 'Pattern';
  readonly patterns: readonly RegexpValue[];

  constructor(patterns: readonly RegexpValue[]) {
    super();
    this.patterns = [...new Map(patterns.map((pattern) => [pattern.source, pattern])).values()];
  }

  isInstance(value: Value): boolean {
    if (typeof value === 'string') return this.matches(value);
    if (!(value instanceof ByteString)) return false;
    return (
      this.patterns.length === 0 || this.patterns.some((each) => each.test(subjectOf(value, each.source)))
    );
  }
  private matches(text: string): boolean {
    if (this.patterns.length === 0) return true;
    for (const pattern of this.patterns) if (pattern.test(text)) return true;
    return false;
  }
  accepts(other: PuppetType): boolean {
    if (other instanceof StringType) {
      return this.patterns.length === 0 || (other.value !== undefined && this.matches(other.value));
    }
    if (other instanceof EnumType) {
      if (this.patterns.length === 0) return true;
      return other.values.length > 0 && other.values.every((value) => this.matches(value));
    }
    if (!(other instanceof PatternType)) return false;
    return this.patterns.length === 0 || this.equals(other);
  }
  render(): string {
    if (this.patterns.length === 0) return 'Pattern';
    return `Pattern[${this.patterns.map((pattern) => pattern.toLiteral()).join(', ')}]`;
  }
  override equalityKey(): string {
    return `Pattern:${this.patterns
      .map((pattern) => pattern.source)
      .sort()
      .join('\n')}`;
  }
}
