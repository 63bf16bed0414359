/** Scalar and ScalarData. */

import { PuppetType } from '../puppet-type.ts';
import { Float, type Value } from '../value.ts';
import { ByteString } from '../values/byte-string.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { TimeValue } from '../values/time-value.ts';

const DATA_KINDS: ReadonlySet<string> = new Set([
  'ScalarData',
  'Enum',
  'Numeric',
  'Integer',
  'Float',
  'String',
  'Pattern',
  'Boolean',
]);
const KINDS: ReadonlySet<string> = new Set([
  ...DATA_KINDS,
  'Scalar',
  'Regexp',
  'SemVer',
  'SemVerRange',
  'Timespan',
  'Timestamp',
]);

/** What has JSON's scalar forms: strings, numbers, booleans. */
export class ScalarDataType extends PuppetType {
  static readonly DEFAULT: ScalarDataType = new ScalarDataType();
  readonly kind = 'ScalarData';
  isInstance(value: Value): boolean {
    const kind = typeof value;
    return (
      kind === 'string' ||
      kind === 'number' ||
      kind === 'boolean' ||
      kind === 'bigint' ||
      value instanceof Float ||
      value instanceof ByteString
    );
  }
  accepts(other: PuppetType): boolean {
    return DATA_KINDS.has(other.kind);
  }
  render(): string {
    return this.kind;
  }
}

export class ScalarType extends PuppetType {
  static readonly DEFAULT: ScalarType = new ScalarType();
  readonly kind = 'Scalar';
  isInstance(value: Value): boolean {
    return (
      ScalarDataType.DEFAULT.isInstance(value) ||
      value instanceof RegexpValue ||
      value instanceof SemVerValue ||
      value instanceof SemVerRangeValue ||
      value instanceof TimeValue
    );
  }
  accepts(other: PuppetType): boolean {
    return KINDS.has(other.kind);
  }
  render(): string {
    return this.kind;
  }
}
