/** `scope` and its catalog. */

import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { kindOf } from '../kinds.ts';
import { ChangedString, RubyCatalog, RubyHash, type RubyScope, RubySymbol } from '../ruby-values.ts';
import type { Run } from '../run.ts';
import { GiveUp, giveUp } from '../signals.ts';
import { type MethodTable, plain } from './method.ts';

const lookup = plain(1, 1, (_self: RubyScope, [name], run) =>
  typeof name === 'string' ? run.context.lookupVariable(name) : giveUp('a variable whose name is no String'),
);

export const scopeMethods: MethodTable = {
  lookupvar: lookup,
  '[]': lookup,
  'include?': plain(1, 1, (_self: RubyScope, [name], run) => run.context.hasVariable(nameOf(name))),
  to_hash: plain(0, 0, (_self: RubyScope, _args, run) => new RubyHash(run.context.variables())),
  catalog: plain(0, 0, () => new RubyCatalog()),
  call_function: plain(2, 2, (_self: RubyScope, [name, args = null], run) =>
    callFunction(nameOf(name), isArray(args) ? args : [args], run),
  ),
};

export const catalogMethods: MethodTable = {
  classes: plain(0, 0, (_self: RubyCatalog, _args, run) => run.own([...run.context.classes])),
  tags: plain(0, 0, (_self: RubyCatalog, _args, run) => run.own([...run.context.tags])),
};

/** `scope.function_NAME([...])` */
export function callLegacy(name: string, args: readonly Value[], run: Run): Value {
  const [given] = args;
  if (args.length !== 1 || given === undefined || !isArray(given))
    return giveUp(`such a call of function_${name}`);
  return called(name, given, run, () => run.context.callLegacyFunction(name, handedOver(given)));
}

function callFunction(name: string, args: readonly Value[], run: Run): Value {
  return called(name, args, run, () => run.context.callFunction(name, handedOver(args)));
}

function called(name: string, _args: readonly Value[], run: Run, call: () => Value): Value {
  if (!run.context.isFunctionKnown(name)) return giveUp(`the function ${name}, which is not known`);
  const isRepeatable = run.context.isRepeatable(name);
  if (!isRepeatable && run.context.hasFallback) giveUp(`a call of ${name}, after which there is no way back`);
  const hadEffects = run.hadEffects;
  if (!isRepeatable) run.hadEffects = true;
  try {
    return call();
  } catch (error) {
    // Given up before the call.
    if (error instanceof GiveUp) run.hadEffects = hadEffects;
    throw error;
  }
}

function nameOf(name: Value | undefined): string {
  const text = name instanceof RubySymbol ? name.name : name;
  return typeof text === 'string' ? text : giveUp('a name that is no String');
}

/** Values that the language knows; what the template could still change is copied. */
function handedOver(values: readonly Value[]): readonly Value[] {
  return values.map(handedValue);
}

function handedValue(value: Value): Value {
  if (isArray(value)) return value.map(handedValue);
  if (value instanceof PuppetHash)
    return new PuppetHash(Array.from(value, ([key, item]) => [handedValue(key), handedValue(item)] as const));
  if (value instanceof ChangedString) return giveUp('a changed string');
  const kind = kindOf(value);
  const isForeign = ['Symbol', 'Range', 'MatchData', 'Module', 'Scope', 'Catalog', 'Regexp'].includes(kind);
  return isForeign ? giveUp(`a ${kind} as argument of a function`) : value;
}
