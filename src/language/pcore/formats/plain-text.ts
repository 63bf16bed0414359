import { PuppetType } from '../puppet-type.ts';
import { Float, isArray, isDefault, isInteger, PuppetHash, type Value } from '../value.ts';
import { rubyFloat } from '../values/float-text.ts';
import { ObjectInstance } from '../values/object-instance.ts';
import { RegexpValue } from '../values/regexp-value.ts';
import { inspect } from './inspect.ts';
import { programText } from './program-text.ts';

/** A value as Ruby's `to_s` shows it. */
export function plainText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (isInteger(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Float) return rubyFloat(value.value);
  if (isDefault(value)) return 'default';
  if (value instanceof PuppetType) return value.toString();
  if (isArray(value) || value instanceof PuppetHash) return inspect(value);
  // Which keeps the options apart from those of a pattern that it is put into.
  if (value instanceof RegexpValue) return `(?-mix:${value.toLiteral().slice(1, -1)})`;
  return value instanceof ObjectInstance ? (value.text() ?? programText(value)) : value.toString();
}
