/** `to_s` and `inspect` as Ruby's. */

import {
  Float,
  inspectText,
  isArray,
  PuppetHash,
  RegexpValue,
  rubyFloat,
  SensitiveValue,
  type Value,
} from '../../pcore/index.ts';
import { giveUp } from '../signals.ts';
import { RubyMatch, RubyModule, RubyRange, RubyResource, RubySymbol } from './ruby-values.ts';

export function toText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return '';
      if (value instanceof Float) return rubyFloat(value.value);
      if (isArray(value) || value instanceof PuppetHash) return inspectValue(value);
      return objectText(value);
  }
}

function objectText(value: Value): string {
  if (value instanceof RubySymbol || value instanceof RubyModule) return value.name;
  if (value instanceof SensitiveValue) return value.toString();
  if (value instanceof RubyResource) return value.reference;
  if (value instanceof RubyMatch) return value.found[0];
  if (value instanceof RubyRange)
    return `${toText(value.first)}${value.excludesLast ? '...' : '..'}${toText(value.last)}`;
  return giveUp('the text of a foreign object');
}

const PLAIN_SYMBOL = /^[A-Za-z_][A-Za-z_0-9]*[?!=]?$/;
// Control characters and whatever Ruby's tables of printable characters may see otherwise.
const UNCERTAIN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n\t\r\f\v\b\u0007\u001b]/u;

export function inspectValue(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return quoted(value);
  if (isArray(value)) return `[${value.map(inspectValue).join(', ')}]`;
  if (value instanceof PuppetHash) {
    const entries = Array.from(value, ([key, item]) => `${inspectValue(key)}=>${inspectValue(item)}`);
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof RubySymbol)
    return PLAIN_SYMBOL.test(value.name) ? `:${value.name}` : giveUp('such a symbol');
  if (value instanceof SensitiveValue) return `#<${value.toString()}>`;
  if (value instanceof RubyResource && value.written !== undefined)
    return `${value.reference}{${Array.from(value.titleNames, ([name, item]) => `:${name}=>${inspectValue(item)}`).join(', ')}}`;
  if (value instanceof RubyRange || value instanceof RubyMatch || value instanceof RubyResource)
    return giveUp('inspect of such an object');
  if (value instanceof RegexpValue) return giveUp('inspect of a regular expression');
  return toText(value);
}

function quoted(text: string): string {
  return UNCERTAIN.test(text) ? giveUp('inspect of special characters') : inspectText(text);
}
