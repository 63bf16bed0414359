/** What the reference has frozen: facts, what is trusted, titles. Ruby code that changes it in place fails there. */

import { failure } from '../../catalog/index.ts';
import { inspect, isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import type { Compiler } from '../compiler.ts';
import type { Frame } from '../runtime/frame.ts';

/** Variables of top scope. */
const FROZEN: readonly string[] = ['facts', 'trusted', 'server_facts'];

/** Whether a variable holds nothing but what is frozen. */
export function isFrozenVariable({ scope }: Frame, name: string): boolean {
  return scope.kind === 'top' && FROZEN.includes(name);
}

/** Whether a list or hash is part of a frozen value. */
export function isFrozen({ topScope }: Compiler, value: Value): boolean {
  if (!isArray(value) && !(value instanceof PuppetHash)) return false;
  return FROZEN.some((name) => contains(topScope.frame.getLocal(name) ?? null, value));
}

/** @throws PuppetError for a list or hash that is part of a frozen value */
export function refuseFrozen(compiler: Compiler, value: Value): void {
  if (!isFrozen(compiler, value)) return;
  throw failure(`can't modify frozen ${isArray(value) ? 'Array' : 'Hash'}: ${inspect(value)}`);
}

/**
 * A string that a variable holds is to be another one.
 *
 * @throws PuppetError when it is a fact, or a title
 */
export function refuseFrozenString(frame: Frame, name: string, old: Value): void {
  if (typeof old !== 'string') return;
  const { scope } = frame;
  const facts = scope.kind === 'top' ? frame.getLocal('facts') : undefined;
  const isFact = facts instanceof PuppetHash && facts.get(name) === old;
  const isTitle = scope.kind === 'define' && name === 'title';
  if (isFact || isTitle) throw failure(`can't modify frozen String: ${inspect(old)}`);
}

function contains(value: Value, part: Value): boolean {
  if (value === part) return true;
  if (isArray(value)) return value.some((item) => contains(item, part));
  return value instanceof PuppetHash && [...value.values()].some((item) => contains(item, part));
}
