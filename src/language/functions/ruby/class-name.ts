import {
  BinaryValue,
  DEFAULT,
  Float,
  IteratorValue,
  isArray,
  isInteger,
  ObjectInstance,
  PuppetHash,
  PuppetType,
  RegexpValue,
  SemVerRangeValue,
  SemVerValue,
  SensitiveValue,
  TimespanValue,
  TimestampValue,
  UriValue,
  type Value,
} from '../../pcore/index.ts';

/** The name of the Ruby class that holds such a value in the reference; some of its messages print it. */
export function rubyClassName(value: Value): string {
  if (value === null) return 'NilClass';
  if (typeof value === 'string') return 'String';
  if (isInteger(value)) return 'Integer';
  if (typeof value === 'boolean') return value ? 'TrueClass' : 'FalseClass';
  if (value instanceof Float) return 'Float';
  if (isArray(value)) return 'Array';
  if (value instanceof PuppetHash) return 'Hash';
  if (value === DEFAULT) return 'Symbol';
  return value instanceof PuppetType ? `Puppet::Pops::Types::P${value.kind}Type` : opaqueClassName(value);
}

function opaqueClassName(value: Value): string {
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof SensitiveValue) return 'Puppet::Pops::Types::PSensitiveType::Sensitive';
  if (value instanceof BinaryValue) return 'Puppet::Pops::Types::PBinaryType::Binary';
  if (value instanceof SemVerValue) return 'SemanticPuppet::Version';
  if (value instanceof SemVerRangeValue) return 'SemanticPuppet::VersionRange';
  if (value instanceof TimestampValue) return 'Puppet::Pops::Time::Timestamp';
  if (value instanceof TimespanValue) return 'Puppet::Pops::Time::Timespan';
  if (value instanceof UriValue) return 'URI::Generic';
  if (value instanceof IteratorValue) return 'Puppet::Pops::Types::Iterable::Iterator';
  return value instanceof ObjectInstance ? value.type.name : 'Object';
}
