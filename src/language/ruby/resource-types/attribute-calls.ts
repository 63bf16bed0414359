/** The words in which a parameter or property is written. */

import type { Call } from './calls.ts';
import { HARMLESS_CALLS } from './harmless-calls.ts';
import { AttributeClass, type RubyModule } from './ruby-module.ts';
import { Unmodelled } from './unmodelled.ts';
import { RubySymbol, Unknown, type Value } from './values.ts';

/** @returns `undefined` for other methods */
export function attributeCall(attribute: RubyModule, call: Call): Value | undefined {
  const { name } = call;
  if (name === 'isnamevar') {
    if (!(attribute instanceof AttributeClass)) throw new Unmodelled('isnamevar in a parent class');
    attribute.isNamevar = true;
    return true;
  }
  if (HARMLESS_CALLS.has(name)) return null;
  if (name === 'name')
    return attribute instanceof AttributeClass ? new RubySymbol(attribute.name) : undefined;
  // Writers such as `self.array_matching = :all` and those of the class's own `attr_accessor`.
  if (/^[a-z]\w*=$/.test(name) && name !== 'name=' && name !== 'isnamevar=') return call.args[0] ?? null;
  if (call.args.length === 0 && call.block === undefined && READERS.has(name)) return new Unknown(name);
  return undefined;
}

const READERS: ReadonlySet<string> = new Set([
  'value_collection',
  'doc',
  'default',
  'to_s',
  'array_matching',
]);
