/** Values as Ruby's `to_s` and `inspect` print them, for functions that do not format in Puppet's own way. */

import {
  inspect,
  isArray,
  isText,
  PuppetHash,
  RegexpValue,
  stringify,
  type Value,
} from '../../pcore/index.ts';

/** `value.to_s`. */
export function rubyText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (isArray(value) || value instanceof PuppetHash) return rubyInspect(value);
  if (value instanceof RegexpValue) return regexpText(value);
  return stringify(value);
}

/** `value.inspect`. */
export function rubyInspect(value: Value): string {
  if (value === null) return 'nil';
  if (isText(value)) return inspect(value);
  if (isArray(value)) return `[${value.map(rubyInspect).join(', ')}]`;
  if (value instanceof PuppetHash)
    return `{${[...value].map(([key, item]) => `${rubyInspect(key)}=>${rubyInspect(item)}`).join(', ')}}`;
  return inspect(value);
}

/** `Regexp#to_s`, which keeps the options apart from those of a pattern that it is put into. */
function regexpText(value: RegexpValue): string {
  return `(?-mix:${value.toLiteral().slice(1, -1)})`;
}
