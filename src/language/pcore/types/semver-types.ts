/** SemVer and SemVerRange. */

import { PuppetType } from '../puppet-type.ts';
import type { Value } from '../value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { mergeRanges } from './merge-ranges.ts';

/** A version within one of some ranges; without ranges, each version. */
export class SemVerType extends PuppetType {
  static readonly DEFAULT: SemVerType = new SemVerType([]);
  readonly kind = 'SemVer';
  readonly ranges: readonly SemVerRangeValue[];
  constructor(ranges: readonly SemVerRangeValue[]) {
    super();
    // In the order in which they were written.
    this.ranges = ranges.length < 2 ? ranges : mergeRanges(ranges).toReversed();
  }
  isInstance(value: Value): boolean {
    if (!(value instanceof SemVerValue)) return false;
    return this.ranges.length === 0 || this.ranges.some((range) => range.includes(value));
  }
  accepts(other: PuppetType): boolean {
    if (!(other instanceof SemVerType)) return false;
    if (this.ranges.length === 0) return true;
    if (other.ranges.length === 0) return false;
    return other.ranges.every((theirs) => this.ranges.some((range) => theirs.isCoveredBy(range)));
  }
  render(): string {
    if (this.ranges.length === 0) return 'SemVer';
    return `SemVer[${this.ranges.map((range) => `'${range.toString()}'`).join(', ')}]`;
  }
  override equalityKey(): string {
    return `SemVer[${this.ranges.map((range) => range.equalityKey()).join()}]`;
  }
}

export class SemVerRangeType extends PuppetType {
  static readonly DEFAULT: SemVerRangeType = new SemVerRangeType();
  readonly kind = 'SemVerRange';
  isInstance(value: Value): boolean {
    return value instanceof SemVerRangeValue;
  }
  accepts(other: PuppetType): boolean {
    return other instanceof SemVerRangeType;
  }
  render(): string {
    return this.kind;
  }
}
