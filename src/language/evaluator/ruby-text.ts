import { DEFAULT, inspect, isArray, PuppetHash, stringify, type Value } from '../pcore/index.ts';

/** A value as Ruby's `to_s` shows it, in the messages that simply interpolate one. */
export function rubyText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value === DEFAULT) return 'default';
  return isArray(value) || value instanceof PuppetHash ? inspect(value) : stringify(value);
}
