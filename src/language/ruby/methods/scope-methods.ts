/** `scope` and its catalog. */

import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { ErbContext } from '../erb-context.ts';
import { access, findResource } from '../puppet-access-calls.ts';
import type { Run } from '../run.ts';
import { GiveUp, giveUp } from '../signals.ts';
import { kindOf } from '../values/kinds.ts';
import {
  ChangedString,
  RubyCatalog,
  RubyHash,
  RubyResource,
  RubyScope,
  RubySymbol,
} from '../values/ruby-values.ts';
import { type MethodTable, plain } from './method.ts';

const lookup = plain(1, 1, (self: RubyScope, [name], run) => {
  if (typeof name !== 'string') return giveUp('a variable whose name is no String');
  const set = self.which === 'calling' ? run.effects.variables.get(name) : undefined;
  if (set !== undefined) return set;
  run.effects.beforeLookup(name);
  if (self.which === 'top' || name.includes('::')) run.effects.noteElsewhere();
  return contextOf(self, run).lookupVariable(name);
});

const setVariable = plain(2, 2, ({ which }: RubyScope, [name, value = null], run) => {
  const { setVariable: prepare } = run.context;
  // Text may be changed in place by its holder.
  const isKept = value instanceof RubyHash || (value !== null && isArray(value));
  if (
    which === 'top' ||
    typeof name !== 'string' ||
    !/^[a-z_]\w*$/.test(name) ||
    prepare === undefined ||
    !isKept
  )
    return giveUp('such a variable');
  const language = handedValue(value);
  run.effects.setVariable(name, value, () => prepare.call(run.context, name, language, portable(value)));
  return value;
});

export const scopeMethods: MethodTable = {
  lookupvar: lookup,
  '[]': lookup,
  setvar: setVariable,
  '[]=': setVariable,
  'include?': plain(1, 1, (self: RubyScope, [name], run) => place(self, run).hasVariable(nameOf(name))),
  to_hash: plain(0, 0, (self: RubyScope, _args, run) => run.variablesOf(place(self, run))),
  catalog: plain(0, 0, () => new RubyCatalog()),
  send: plain(1, Infinity, (_self: RubyScope, [name = null, ...args], run) => {
    const legacy = /^function_(\w+)$/.exec(nameOf(name))?.[1];
    return legacy === undefined ? giveUp('such a method of a scope') : callLegacy(legacy, args, run);
  }),
  find_global_scope: plain(0, 0, () => new RubyScope('top')),
  findresource: plain(2, 2, (_self: RubyScope, args, run) => {
    const found = findResource(args, run);
    return found === undefined ? null : new RubyResource(found);
  }),
  resource: plain(0, 0, ({ which }: RubyScope, _args, run) => {
    const { resource } = which === 'top' ? giveUp('the resource of top scope') : access(run);
    return resource === undefined ? null : new RubyResource(resource);
  }),
  call_function: plain(2, 2, (self: RubyScope, [name, args = null], run) =>
    callNamed(nameOf(name), splat(args), run, contextOf(self, run)),
  ),
};

/** What `*args` makes of the second argument of `call_function`. */
function splat(args: Value): readonly Value[] {
  if (args === null) return [];
  if (args instanceof PuppetHash) return Array.from(args, ([key, value]): Value => [key, value]);
  return isArray(args) ? args : [args];
}

/** Whether functions of the older kind, which are methods of scopes, may call it without a receiver. */
export function isScopeMethod(name: string): boolean {
  return !name.startsWith('[]') && Object.hasOwn(scopeMethods, name);
}

export const catalogMethods: MethodTable = {
  classes: plain(0, 0, (_self: RubyCatalog, _args, run) => {
    run.effects.beforeQuestion();
    return run.own([...run.context.classes]);
  }),
  tags: plain(0, 0, (_self: RubyCatalog, _args, run) => {
    run.effects.beforeQuestion();
    return run.own([...run.context.tags]);
  }),
};

/** `scope.function_NAME([...])` */
export function callLegacy(name: string, args: readonly Value[], run: Run): Value {
  const [given] = args;
  if (args.length !== 1 || given === undefined || !isArray(given))
    return giveUp(`such a call of function_${name}`);
  return called({ name, args: given, run, context: run.context, isLegacy: true });
}

/** `call_function(name, ...)` */
export function callNamed(name: string, args: readonly Value[], run: Run, context: ErbContext): Value {
  return called({ name, args, run, context, isLegacy: false });
}

/** Repeatable functions that look at the scope or the catalog. */
const ASKING: ReadonlySet<string> = new Set(['defined', 'lookup']);

/** Repeatable functions whose results somebody else may have. */
const SHARING: ReadonlySet<string> = new Set(['lookup', 'unwrap']);

interface CalledFunction {
  readonly name: string;
  readonly args: readonly Value[];
  readonly run: Run;
  readonly context: ErbContext;
  readonly isLegacy: boolean;
}

function called({ args, context, isLegacy, name, run }: CalledFunction): Value {
  if (!context.isFunctionKnown(name)) return giveUp(`the function ${name}, which is not known`);
  const isRepeatable = context.isRepeatable(name);
  if (!isRepeatable && context.hasFallback)
    return context.callRevocably({ name, args, isLegacy, effects: run.effects });
  const given = handedOver(args);
  const call = () => (isLegacy ? context.callLegacyFunction(name, given) : context.callFunction(name, given));
  if (isRepeatable) {
    if (ASKING.has(name)) run.effects.beforeQuestion();
    return SHARING.has(name) ? run.protected(call()) : call();
  }
  const { hadEffects } = run;
  run.hadEffects = true;
  try {
    return call();
  } catch (error) {
    // Given up before the call.
    if (error instanceof GiveUp) run.hadEffects = hadEffects;
    throw error;
  }
}

function contextOf({ which }: RubyScope, run: Run): ErbContext {
  return which === 'top' ? run.top : run.context;
}

/** As `contextOf`, for questions. */
function place(self: RubyScope, run: Run): ErbContext {
  run.effects.beforeQuestion();
  return contextOf(self, run);
}

function nameOf(name: Value | undefined): string {
  const text = name instanceof RubySymbol ? name.name : name;
  return typeof text === 'string' ? text : giveUp('a name that is no String');
}

/**
 * Values that the language knows; what the code could still change is copied.
 *
 * @param takesResources - whether resources are for who gets them what references are
 */
export function handedOver(values: readonly Value[], takesResources = false): readonly Value[] {
  return values.map((value) => handedValue(value, takesResources));
}

/** The value itself, if Ruby can be given it. @throws GiveUp */
function portable(value: Value): Value {
  if (isArray(value)) for (const item of value) portable(item);
  else if (value instanceof PuppetHash) {
    for (const [key, item] of value) {
      portable(key);
      portable(item);
    }
  } else if (!(value instanceof RubySymbol)) handedValue(value);
  return value;
}

function handedValue(value: Value, takesResources = false): Value {
  const handed = (part: Value) => handedValue(part, takesResources);
  if (isArray(value)) return value.map(handed);
  if (value instanceof PuppetHash)
    return new PuppetHash(Array.from(value, ([key, item]) => [handed(key), handed(item)] as const));
  if (value instanceof RubyResource)
    return (takesResources ? value.written : undefined) ?? giveUp('a resource as argument of a function');
  if (value instanceof ChangedString) return giveUp('a changed string');
  const kind = kindOf(value);
  const isForeign = ['Symbol', 'Range', 'MatchData', 'Module', 'Proc', 'Scope', 'Catalog', 'Regexp'].includes(
    kind,
  );
  return isForeign ? giveUp(`a ${kind} as argument of a function`) : value;
}
