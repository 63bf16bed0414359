/** Which method a name means for a value. */

import type { Value } from '../../pcore/index.ts';
import type { Run } from '../run.ts';
import { giveUp, raise } from '../signals.ts';
import { type Kind, kindOf } from '../values/kinds.ts';
import type { Block } from '../values/ruby-values.ts';
import type { Method, MethodTable } from './method.ts';
import { methodTables } from './method-tables.ts';

/** The methods of one name, by the class of the receiver. */
export type MethodSet = ReadonlyMap<Kind, Method>;

const NOTHING: MethodSet = new Map();

/** Methods of nil that are not modelled; all other names that are known here nil has not. */
const MORE_OF_NIL: ReadonlySet<string> = new Set(['to_f', 'hash', 'to_r', 'to_c']);

/** `undefined` when no class that is modelled has such a method. */
export function methodsNamed(name: string): MethodSet | undefined {
  const found = methodSets().get(name);
  return found ?? undefined;
}

export function callMethod(receiver: Value, name: string, args: readonly Value[], run: Run): Value {
  return invoke(methodsNamed(name) ?? NOTHING, receiver, { name, args, run, block: undefined });
}

export interface Invocation {
  readonly name: string;
  readonly args: readonly Value[];
  readonly run: Run;
  readonly block: Block | undefined;
}

export function invoke(methods: MethodSet, receiver: Value, { args, block, name, run }: Invocation): Value {
  const kind = kindOf(receiver);
  const method = methods.get(kind);
  if (method === undefined) {
    if (receiver === null && !MORE_OF_NIL.has(name)) raise(`undefined method \`${name}' for nil:NilClass`);
    return giveUp(`the method ${name} of ${kind}`);
  }
  if (args.length < method.min || args.length > method.max) giveUp(`${name} with ${args.length} arguments`);
  const isMisfit = block === undefined ? method.block === 'required' : method.block === 'none';
  if (isMisfit) giveUp(`${name} ${block === undefined ? 'without' : 'with'} a block`);
  return method.call(receiver, args, run, block);
}

function methodSets(): ReadonlyMap<string, MethodSet> {
  return (methodsByName.all ??= sortByName(methodTables()));
}

/** Filled at first use: tables refer to each other. */
const methodsByName: { all: ReadonlyMap<string, MethodSet> | undefined } = { all: undefined };

function sortByName(tables: ReadonlyMap<Kind, MethodTable>): ReadonlyMap<string, MethodSet> {
  const sets = new Map<string, Map<Kind, Method>>();
  for (const [kind, table] of tables) {
    for (const [name, method] of Object.entries(table)) {
      const set = sets.get(name) ?? new Map<Kind, Method>();
      sets.set(name, set.set(kind, method));
    }
  }
  return sets;
}
