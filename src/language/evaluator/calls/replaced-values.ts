/**
 * Values that Ruby code has changed in place. Here values never change, so everything that holds one of them gets the
 * new one instead: variables, what they contain, and attributes that are variables.
 */

import { isArray, keyOf, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { Frame } from '../runtime/frame.ts';
import type { CompiledResource } from '../runtime/scope.ts';
import { refuseFrozen } from './frozen-values.ts';
import { framesInReach } from './scope-view.ts';

/**
 * For Ruby, which knows what a value was and what it is now, but not its holders: those that code can reach get the new one.
 *
 * @param frame - of the code that called Ruby
 * @throws PuppetError when it is a part of the facts, which are frozen
 */
export function replaceValue(compiler: Compiler, frame: Frame, old: Value, now: Value): void {
  const changes = changesBetween(old, now);
  const innermost = [...changes.keys()].at(-1);
  if (innermost === undefined) return;
  refuseFrozen(compiler, innermost);
  const replaced = new Map(changes);
  for (const holder of framesInReach(compiler, frame)) {
    replaceIn(holder, replaced);
    // Its attributes are its variables; those of other resources are copies.
    if (holder === holder.scope.frame && holder.scope.resource !== undefined)
      replaceInAttributes(holder.scope.resource, replaced);
  }
}

/** The lists and hashes in a value that are others in what it has become, outer ones first. */
export function changesBetween(old: Value, now: Value): ReadonlyMap<Value, Value> {
  const changes = new Map<Value, Value>();
  noteChanges(old, now, changes);
  return changes;
}

function noteChanges(old: Value, now: Value, changes: Map<Value, Value>): void {
  if (!isContainer(old) || !isContainer(now) || keyOf(old) === keyOf(now)) return;
  changes.set(old, now);
  if (isArray(old) && isArray(now)) {
    for (const [index, item] of old.entries()) noteChanges(item, now[index] ?? null, changes);
  } else if (old instanceof PuppetHash && now instanceof PuppetHash) {
    for (const [key, item] of old) noteChanges(item, now.get(key) ?? null, changes);
  }
}

function isContainer(value: Value): boolean {
  return isArray(value) || value instanceof PuppetHash;
}

function replaceIn(frame: Frame, replaced: Map<Value, Value>): void {
  for (const name of frame.localNames()) {
    const value = frame.getLocal(name) ?? null;
    const now = replacement(value, replaced);
    if (now !== value) frame.setLocal(name, now);
  }
}

function replaceInAttributes(resource: CompiledResource, replaced: Map<Value, Value>): void {
  for (const parameter of resource.parameters.values()) {
    const value = replacement(parameter.value, replaced);
    if (value !== parameter.value) resource.setParameter({ ...parameter, value });
  }
}

/**
 * A value with what has changed in it; the value itself when nothing has.
 *
 * @param replaced - what has changed. What is made is added, so that what was one value stays one
 */
export function replacement(value: Value, replaced: Map<Value, Value>): Value {
  const known = replaced.get(value);
  if (known !== undefined) return known;
  if (!isContainer(value)) return value;
  const result = isArray(value) ? listWith(value, replaced) : hashWith(value as PuppetHash, replaced);
  replaced.set(value, result);
  return result;
}

function listWith(list: readonly Value[], replaced: Map<Value, Value>): Value {
  const items = list.map((item) => replacement(item, replaced));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function hashWith(hash: PuppetHash, replaced: Map<Value, Value>): Value {
  const pairs = Array.from(hash, ([key, item]) => [key, item, replacement(item, replaced)] as const);
  if (pairs.every(([, item, now]) => item === now)) return hash;
  return new PuppetHash(pairs.map(([key, , now]) => [key, now] as const));
}
