import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { RegexpValue } from '../values/regexp-value.ts';

/** `Regexp`, or the type of exactly one regular expression. */
export class RegexpType extends PuppetType {
  static readonly DEFAULT: RegexpType = new RegexpType();
  readonly kind = 'Regexp';
  readonly pattern: RegexpValue | undefined;
  constructor(pattern?: RegexpValue) {
    super();
    this.pattern = pattern;
  }
  isInstance(value: Value): boolean {
    if (!(value instanceof RegexpValue)) return false;
    return this.pattern === undefined || this.pattern.source === value.source;
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof RegexpType)) return false;
    return this.pattern === undefined || this.pattern.source === other.pattern?.source;
  }
  render(): string {
    return this.pattern === undefined ? 'Regexp' : `Regexp[${this.pattern.toLiteral()}]`;
  }
}
