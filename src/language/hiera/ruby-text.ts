/** Values as Ruby prints them: in interpolated strings, and in explanations. */

import {
  Float,
  inspect as inspectValue,
  isArray,
  PuppetHash,
  rubyFloat,
  stringify,
  type Value,
} from '../pcore/index.ts';

/** Ruby's `to_s`: what an interpolation of a value that is no string gives. */
export function rubyToString(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (isArray(value) || value instanceof PuppetHash) return inspect(value);
  return value instanceof Float ? rubyFloat(value.value) : stringify(value);
}

/** Ruby's `inspect`. */
export function inspect(value: Value): string {
  if (isArray(value)) return `[${value.map(inspect).join(', ')}]`;
  if (value instanceof PuppetHash) {
    return `{${Array.from(value, ([key, item]) => `${inspect(key)}=>${inspect(item)}`).join(', ')}}`;
  }
  return inspectValue(value);
}
