/** What messages call values: `Hash`, `Undef Value`, `Integer[1]-Type`. */

import {
  BinaryValue,
  ByteString,
  Float,
  infer,
  isArray,
  isInteger,
  OpaqueValue,
  PuppetHash,
  PuppetType,
  RegexpValue,
  ResourceType,
  type Value,
} from '../pcore/index.ts';

/** The reference's word for a value. */
export function labelOfValue(value: Value): string {
  if (value === null) return 'Undef Value';
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return 'Boolean';
  if (isInteger(value)) return 'Integer';
  if (value instanceof Float) return 'Float';
  if (isArray(value)) return 'Array';
  if (value instanceof PuppetHash) return 'Hash';
  if (value instanceof ResourceType && value.title !== undefined) return `${value} Resource-Reference`;
  if (value instanceof PuppetType) return `${value}-Type`;
  if (value instanceof RegexpValue) return 'Regexp';
  if (value instanceof BinaryValue) return 'Binary';
  if (value instanceof ByteString) return 'String';
  if (value instanceof OpaqueValue) return opaqueLabel(value);
  return 'Object';
}

function opaqueLabel(value: OpaqueValue): string {
  const type = infer(value).toString().replace(/\[.*$/s, '');
  if (type === 'SemVer') return 'Semver';
  // The reference has no words of their own for these.
  if (type === 'Error' || type === 'URI' || type === 'Iterator' || type === 'Runtime') return 'Object';
  return type === 'SemVerRange' ? 'SemverRange' : type;
}
