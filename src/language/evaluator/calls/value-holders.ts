/**
 * Who holds lists and hashes that interpreted code has changed, one by one.
 *
 * Here one list may be the value of several variables that have lists of their own in the reference: there, attributes of
 * resources are copies. So each scope that has a value as an attribute has a copy of it, and everybody else has the original.
 */

import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Scope } from '../runtime/scope.ts';
import { isFrozenVariable } from './frozen-values.ts';
import { replacement } from './replaced-values.ts';
import { framesInReach } from './scope-view.ts';

/** A variable with a changed value in it. */
interface Holder {
  readonly frame: Frame;
  readonly name: string;
  readonly value: Value;
}

/**
 * What gives those who hold changed values the new ones. Nothing is done before it is called.
 *
 * @param frame - where the code ran
 * @param changes - what they were, and what they have become
 * @param sawElsewhere - whether the code may have come to them by variables of other scopes
 * @returns `undefined` when it is not certain who is meant, or when they are frozen
 */
export function replacing(
  frame: Frame,
  changes: ReadonlyMap<Value, Value>,
  sawElsewhere: boolean,
): (() => void) | undefined {
  const changesOf = new Map<Holder, Change[]>();
  for (const [number, [changed, all]] of [...holdersOf(frame, changes)].entries()) {
    const meant = holdersMeant(frame.scope, all, sawElsewhere);
    if (meant === undefined || meant.some(({ frame, name }) => isFrozenVariable(frame, name)))
      return undefined;
    const change = { number, changed, now: changes.get(changed) ?? null };
    for (const holder of new Set(meant)) addTo(changesOf, holder, change);
  }
  return () => replaceAll(changesOf);
}

interface Change {
  readonly number: number;
  readonly changed: Value;
  readonly now: Value;
}

/** Holders with the same changes share what is made of them: what was one value stays one. */
function replaceAll(changesOf: ReadonlyMap<Holder, readonly Change[]>): void {
  const shared = new Map<string, Map<Value, Value>>();
  for (const [{ frame, name, value }, own] of changesOf) {
    const key = own.map(({ number }) => number).join();
    const replaced = shared.get(key) ?? new Map(own.map(({ changed, now }) => [changed, now]));
    shared.set(key, replaced);
    replaceVariable(frame, name, replacement(value, replaced));
  }
}

/** By what they hold: a variable comes as often as it holds that. */
function holdersOf(frame: Frame, changes: ReadonlyMap<Value, Value>): ReadonlyMap<Value, readonly Holder[]> {
  const holders = new Map<Value, Holder[]>();
  const note = (value: Value, holder: Holder): void => {
    if (changes.has(value)) addTo(holders, value, holder);
    if (isArray(value)) for (const item of value) note(item, holder);
    else if (value instanceof PuppetHash) for (const item of value.values()) note(item, holder);
  };
  for (const one of framesInReach(frame.scope.compiler, frame)) {
    for (const name of one.localNames()) {
      const value = one.getLocal(name) ?? null;
      if (typeof value === 'object') note(value, { frame: one, name, value });
    }
  }
  return holders;
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Those who hold the same object in the reference as code in the scope sees; `undefined` when that is not certain. */
function holdersMeant(
  scope: Scope,
  all: readonly Holder[],
  sawElsewhere: boolean,
): readonly Holder[] | undefined {
  const withCopies = new Set(all.filter(isAttribute).map((holder) => holder.frame.scope));
  if (withCopies.size === 0) return all;
  const ofOriginal = all.filter((holder) => !withCopies.has(holder.frame.scope));
  const isOne = withCopies.size === 1 && ofOriginal.length === 0;
  if (sawElsewhere && !isOne) return undefined;
  const own = sawElsewhere ? all : all.filter((holder) => holder.frame.scope === scope);
  if (own.length === 0) return ofOriginal;
  // Two attributes are two copies, and so are two places in one.
  return own.filter(isAttribute).length === 1 ? own : undefined;
}

function isAttribute({ frame, name, value }: Holder): boolean {
  const { resource } = frame.scope;
  return frame === frame.scope.frame && resource?.parameters.get(name)?.value === value;
}

/** Gives a variable another value, and the attribute that it is. */
export function replaceVariable(frame: Frame, name: string, now: Value): void {
  const { resource } = frame.scope;
  const value = frame.getLocal(name) ?? null;
  const parameter = isAttribute({ frame, name, value }) ? resource?.parameters.get(name) : undefined;
  frame.setLocal(name, now);
  if (parameter !== undefined) resource?.setParameter({ ...parameter, value: now });
}
