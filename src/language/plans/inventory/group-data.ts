/** Groups of targets with what they say of their targets. */

import type { JsonObject } from '../../../lib/json.ts';
import { isArray, PuppetHash, type Value } from '../../pcore/index.ts';
import { hashOfJson } from '../plan-data.ts';

/** What a group or a target of an inventory says. */
interface InventoryData {
  readonly vars?: JsonObject;
  readonly facts?: JsonObject;
  readonly features?: readonly string[];
  readonly config?: JsonObject;
}

export interface InventoryTarget extends InventoryData {
  /** At least one of the two. */
  readonly name?: string;
  readonly uri?: string;
  readonly alias?: string | readonly string[];
}

export interface InventoryGroup extends InventoryData {
  readonly name: string;
  readonly targets?: readonly (string | InventoryTarget)[];
  readonly groups?: readonly InventoryGroup[];
}

/** What is said of a target, by whom it may be. */
export interface Said {
  readonly vars: PuppetHash;
  readonly facts: PuppetHash;
  readonly features: ReadonlySet<string>;
  readonly config: PuppetHash;
}

export const NOTHING_SAID: Said = {
  vars: new PuppetHash(),
  facts: new PuppetHash(),
  features: new Set(),
  config: new PuppetHash(),
};

export function saidBy({ vars = {}, facts = {}, features = [], config = {} }: InventoryData): Said {
  return {
    vars: hashOfJson(vars),
    facts: hashOfJson(facts),
    features: new Set(features),
    config: hashOfJson(config),
  };
}

/** `over` goes before `base`: variables as a whole, facts and configuration part by part. */
export function combine(base: Said, over: Said): Said {
  return {
    vars: new PuppetHash([...base.vars, ...over.vars]),
    facts: deepMerge(base.facts, over.facts),
    features: new Set([...base.features, ...over.features]),
    config: deepMerge(base.config, over.config),
  };
}

export function deepMerge(base: PuppetHash, over: PuppetHash): PuppetHash {
  const merged = new PuppetHash(base);
  for (const [key, value] of over) {
    const known = merged.get(key);
    merged.set(
      key,
      known instanceof PuppetHash && value instanceof PuppetHash ? deepMerge(known, value) : value,
    );
  }
  return merged;
}

/** A copy in which the value at a path is another one. */
export function withValueAt(hash: PuppetHash, path: readonly Value[], value: Value): PuppetHash {
  const [key = '', ...rest] = path;
  const inner = hash.get(key);
  const replaced =
    rest.length === 0
      ? value
      : withValueAt(inner instanceof PuppetHash ? inner : new PuppetHash(), rest, value);
  return new PuppetHash(hash).set(key, replaced);
}

export function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  return isArray(value) ? value.flatMap(textsIn) : [];
}
