/** Who holds lists and hashes that interpreted code has changed. */

import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Scope } from '../runtime/scope.ts';
import { FROZEN, framesOf, replacement } from './changed-values.ts';

/** A variable with a changed value in it. */
interface Holder {
  readonly frame: Frame;
  readonly name: string;
  readonly value: Value;
}

/**
 * Here one list may be the value of several variables that have lists of their own in the reference: attributes of resources
 * are copies there. So whoever has a value as an attribute has another one than those outside.
 *
 * @param frame - where the code ran
 * @param changes - what they were, and what they have become
 * @param sawElsewhere - whether the code may have come to them by variables of other scopes
 * @returns what replaces them; `undefined` when it is not certain who is meant, or when they are frozen
 */
export function replacing(
  frame: Frame,
  changes: ReadonlyMap<Value, Value>,
  sawElsewhere: boolean,
): (() => void) | undefined {
  const changesOf = new Map<Holder, Map<Value, Value>>();
  for (const [changed, all] of holdersOf(frame, changes)) {
    const meant = holdersMeant(frame.scope, all, sawElsewhere);
    if (meant === undefined || meant.some(isFrozen)) return undefined;
    for (const holder of meant) {
      const own = changesOf.get(holder) ?? new Map<Value, Value>();
      changesOf.set(holder, own.set(changed, changes.get(changed) ?? null));
    }
  }
  return () => {
    // What was one value stays one.
    const replaced = new Map<string, Map<Value, Value>>();
    const all = [...changes.keys()];
    for (const [holder, own] of changesOf) {
      const key = [...own.keys()].map((changed) => all.indexOf(changed)).join();
      const known = replaced.get(key) ?? own;
      replaced.set(key, known);
      replaceIn(holder, known);
    }
  };
}

/** By what they hold: a variable comes as often as it holds that. */
function holdersOf(frame: Frame, changes: ReadonlyMap<Value, Value>): ReadonlyMap<Value, readonly Holder[]> {
  const holders = new Map<Value, Holder[]>();
  const note = (value: Value, holder: Holder): void => {
    if (changes.has(value)) holders.set(value, [...(holders.get(value) ?? []), holder]);
    if (isArray(value)) for (const item of value) note(item, holder);
    else if (value instanceof PuppetHash) for (const item of value.values()) note(item, holder);
  };
  for (const one of framesOf(frame.scope.compiler, frame)) {
    for (const name of one.localNames()) {
      const value = one.getLocal(name) ?? null;
      if (typeof value === 'object') note(value, { frame: one, name, value });
    }
  }
  return holders;
}

/** Those who hold the same object in the reference as code in the scope sees. */
function holdersMeant(
  scope: Scope,
  all: readonly Holder[],
  sawElsewhere: boolean,
): readonly Holder[] | undefined {
  const scopes = new Set(all.filter(isAttribute).map((holder) => holder.frame.scope));
  if (scopes.size === 0) return all;
  const outside = all.filter((holder) => !scopes.has(holder.frame.scope));
  if (sawElsewhere && scopes.size + Math.min(outside.length, 1) > 1) return undefined;
  const [only = scope] = scopes;
  const own = all.filter((holder) => holder.frame.scope === (sawElsewhere ? only : scope));
  if (own.length === 0) return outside;
  // Two attributes are two copies, and so are two places in one.
  const attributes = own.filter(isAttribute);
  return attributes.length === 1 ? own : undefined;
}

function isAttribute({ frame, name, value }: Holder): boolean {
  const { resource } = frame.scope;
  return frame === frame.scope.frame && resource?.parameters.get(name)?.value === value;
}

function isFrozen({ frame, name }: Holder): boolean {
  return frame.scope.kind === 'top' && FROZEN.includes(name);
}

function replaceIn({ frame, name, value }: Holder, changes: Map<Value, Value>): void {
  replaceOne(frame, name, replacement(value, changes));
}

/** Gives a variable another value, and the attribute that it is. */
export function replaceOne(frame: Frame, name: string, now: Value): void {
  const { resource } = frame.scope;
  const value = frame.getLocal(name) ?? null;
  const parameter = isAttribute({ frame, name, value }) ? resource?.parameters.get(name) : undefined;
  frame.setLocal(name, now);
  if (parameter !== undefined) resource?.setParameter({ ...parameter, value: now });
}
