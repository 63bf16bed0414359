/**
 * Values that Ruby code has changed in place. Here values never change, so everything that holds one of them gets the
 * new one instead: variables, what they contain, and attributes that are variables.
 */

import { failure } from '../../catalog/index.ts';
import { inspect, isArray, keyOf, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { Frame } from '../runtime/frame.ts';
import type { CompiledResource, Scope } from '../runtime/scope.ts';

/** Lists and hashes with what they have become. */
export type Changes = Map<Value, Value>;

/**
 * @param frame - of the code that called Ruby
 * @throws PuppetError when it is a part of the facts, which are frozen
 */
export function replaceValue(compiler: Compiler, frame: Frame, old: Value, now: Value): void {
  const changes: Changes = new Map();
  compare(old, now, changes);
  if (changes.size === 0) return;
  refuseFrozen(compiler, changes);
  const replaced: Changes = new Map(changes);
  for (const holder of framesOf(compiler, frame)) {
    replaceIn(holder, replaced);
    // Its attributes are its variables; those of other resources are copies.
    if (holder === holder.scope.frame && holder.scope.resource !== undefined)
      replaceInAttributes(holder.scope.resource, replaced);
  }
}

function replaceInAttributes(resource: CompiledResource, replaced: Changes): void {
  for (const parameter of resource.parameters.values()) {
    const value = replacement(parameter.value, replaced);
    if (value !== parameter.value) resource.setParameter({ ...parameter, value });
  }
}

/** The lists and hashes in a value that are others in what it has become. */
export function compared(old: Value, now: Value): ReadonlyMap<Value, Value> {
  const changes: Changes = new Map();
  compare(old, now, changes);
  return changes;
}

/** Notes each list and hash in `old` that is another one in `now`, outer ones first. */
function compare(old: Value, now: Value, changes: Changes): void {
  if (!isContainer(old) || !isContainer(now) || keyOf(old) === keyOf(now)) return;
  changes.set(old, now);
  if (isArray(old) && isArray(now)) {
    for (const [index, item] of old.entries()) compare(item, now[index] ?? null, changes);
  } else if (old instanceof PuppetHash && now instanceof PuppetHash) {
    for (const [key, item] of old) compare(item, now.get(key) ?? null, changes);
  }
}

function isContainer(value: Value): boolean {
  return isArray(value) || value instanceof PuppetHash;
}

export const FROZEN: readonly string[] = ['facts', 'trusted', 'server_facts'];

/**
 * A string that a variable holds is to be another one.
 *
 * @throws PuppetError when the reference has frozen it: facts, and titles
 */
export function refuseFrozenString(frame: Frame, name: string, old: Value): void {
  if (typeof old !== 'string') return;
  const { scope } = frame;
  const facts = scope.kind === 'top' ? frame.getLocal('facts') : undefined;
  const isFact = facts instanceof PuppetHash && facts.get(name) === old;
  const isTitle = scope.kind === 'define' && name === 'title';
  if (isFact || isTitle) throw failure(`can't modify frozen String: ${inspect(old)}`);
}

/** Whether a list or hash is a part of what the reference has frozen. */
export function isFrozen({ topScope }: Compiler, value: Value): boolean {
  return isContainer(value) && FROZEN.some((name) => contains(topScope.frame.getLocal(name) ?? null, value));
}

function refuseFrozen(compiler: Compiler, changes: Changes): void {
  const inner = [...changes.keys()].at(-1) ?? null;
  if (!isFrozen(compiler, inner)) return;
  throw failure(`can't modify frozen ${isArray(inner) ? 'Array' : 'Hash'}: ${inspect(inner)}`);
}

function contains(value: Value, part: Value): boolean {
  if (value === part) return true;
  if (isArray(value)) return value.some((item) => contains(item, part));
  return value instanceof PuppetHash && [...value.values()].some((item) => contains(item, part));
}

/** All frames whose variables code can come to from this one. */
export function framesOf(compiler: Compiler, frame: Frame): ReadonlySet<Frame> {
  const frames = new Set<Frame>();
  const add = (first: Frame | undefined): void => {
    for (let current = first; current !== undefined; current = current.outer) frames.add(current);
  };
  add(frame);
  const scopes: (Scope | undefined)[] = [frame.scope, compiler.nodeScope, compiler.topScope];
  for (const scope of [...scopes, ...compiler.classScopes.values()]) {
    for (let current = scope; current !== undefined; current = current.enclosing) add(current.current);
  }
  return frames;
}

function replaceIn(frame: Frame, replaced: Changes): void {
  for (const name of frame.localNames()) {
    const value = frame.getLocal(name) ?? null;
    const now = replacement(value, replaced);
    if (now !== value) frame.setLocal(name, now);
  }
}

/** The value itself when nothing in it has changed. What is found is kept, so that what was one value stays one. */
export function replacement(value: Value, replaced: Changes): Value {
  const known = replaced.get(value);
  if (known !== undefined) return known;
  if (!isContainer(value)) return value;
  const result = isArray(value) ? listWith(value, replaced) : hashWith(value as PuppetHash, replaced);
  replaced.set(value, result);
  return result;
}

function listWith(list: readonly Value[], replaced: Changes): Value {
  const items = list.map((item) => replacement(item, replaced));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function hashWith(hash: PuppetHash, replaced: Changes): Value {
  const pairs = Array.from(hash, ([key, item]) => [key, item, replacement(item, replaced)] as const);
  if (pairs.every(([, item, now]) => item === now)) return hash;
  return new PuppetHash(pairs.map(([key, , now]) => [key, now] as const));
}
