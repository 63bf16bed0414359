import { PuppetType } from '../puppet-type.ts';
import { RuntimeType } from '../types/opaque-types.ts';
import { Float, isArray, isDefault, isInteger, OpaqueValue, PuppetHash, type Value } from '../value.ts';
import { BinaryValue } from '../values/binary-value.ts';
import { DeferredValue, ErrorValue } from '../values/builtin-instances.ts';
import { ByteString } from '../values/byte-string.ts';
import { IteratorValue } from '../values/iterator-value.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { SemVerRangeValue } from '../values/semver-range-value.ts';
import { SemVerValue } from '../values/semver-value.ts';
import { SensitiveValue } from '../values/sensitive-value.ts';
import { TimespanValue } from '../values/timespan-value.ts';
import { TimestampValue } from '../values/timestamp-value.ts';
import { UriValue } from '../values/uri-value.ts';

/** The name of the Ruby class that has such values in the reference; some messages contain it. */
export function rubyClassName(value: Value): string {
  if (value === null) return 'NilClass';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  if (isInteger(value)) return 'Integer';
  if (value instanceof Float) return 'Float';
  if (isDefault(value)) return 'Symbol';
  if (isArray(value)) return 'Array';
  if (value instanceof PuppetHash) return 'Hash';
  if (value instanceof PuppetType) return `Puppet::Pops::Types::P${value.kind}Type`;
  return opaqueClassName(value);
}

function opaqueClassName(value: Value): string {
  if (value instanceof ByteString) return 'String';
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof SensitiveValue) return 'Puppet::Pops::Types::PSensitiveType::Sensitive';
  if (value instanceof BinaryValue) return 'Puppet::Pops::Types::PBinaryType::Binary';
  if (value instanceof SemVerValue) return 'SemanticPuppet::Version';
  if (value instanceof SemVerRangeValue) return 'SemanticPuppet::VersionRange';
  if (value instanceof TimespanValue) return 'Puppet::Pops::Time::Timespan';
  if (value instanceof TimestampValue) return 'Puppet::Pops::Time::Timestamp';
  if (value instanceof UriValue) return value.className;
  // The reference makes the class of Deferred itself, without a name.
  if (value instanceof DeferredValue) return '';
  if (value instanceof ErrorValue) return 'Puppet::DataTypes::Error';
  if (value instanceof ObjectInstance) return value.type.name;
  if (value instanceof IteratorValue) return value.className;
  // What the reference's runtime has and the language has not, such as collectors, says so itself.
  const type = value instanceof OpaqueValue ? value.inferType() : undefined;
  return type instanceof RuntimeType && typeof type.nameOrPattern === 'string'
    ? type.nameOrPattern
    : 'Object';
}
