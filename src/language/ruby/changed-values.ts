/** Lists and hashes of others that code has changed in place, and may still be given up. */

import { isArray, keyOf, PuppetHash, type Value } from '../pcore/index.ts';
import { handedOver } from './methods/index.ts';
import { giveUp } from './signals.ts';
import { RubyHash } from './values/ruby-values.ts';

/** What can be changed in place. */
export type Container = readonly Value[] | PuppetHash;

const MAX_DEPTH = 100;

/**
 * Values of the language never change, but those of Ruby do. So they are changed here for as long as the code runs, which
 * sees its changes by whatever way it comes to them; at its end all is put back, and the holders of a value get another one.
 */
export class ChangedValues {
  private readonly before = new Map<Container, Container>();
  private readonly resolved = new Map<Container, Value>();

  get size(): number {
    return this.before.size;
  }

  /** To be called before the first change. */
  keep(value: Container): void {
    if (!this.before.has(value)) this.before.set(value, isArray(value) ? [...value] : new PuppetHash(value));
  }

  putBack(): void {
    for (const [changed, original] of this.before) putBack(changed, original);
    this.before.clear();
  }

  /** What has become of the values, as the language knows it. @throws GiveUp for what it does not know */
  results(): ReadonlyMap<Value, Value> {
    const results = new Map<Value, Value>();
    for (const [changed, original] of this.before) {
      const now = this.result(changed);
      if (keyOf(original) !== keyOf(now)) results.set(changed, now);
    }
    return results;
  }

  /** A value with what has changed in it. @throws GiveUp */
  result(value: Value, depth = 0): Value {
    if (depth > MAX_DEPTH) return giveUp('a value in itself');
    if (isArray(value)) return this.list(value, depth);
    if (value instanceof PuppetHash) return this.hash(value, depth);
    return handedOver([value])[0] ?? null;
  }

  private list(list: readonly Value[], depth: number): Value {
    const known = this.resolved.get(list);
    if (known !== undefined) return known;
    const items = list.map((item) => this.result(item, depth + 1));
    const isSame = !this.before.has(list) && items.every((item, index) => item === list[index]);
    const made = isSame ? list : items;
    this.resolved.set(list, made);
    return made;
  }

  private hash(hash: PuppetHash, depth: number): Value {
    const known = this.resolved.get(hash);
    if (known !== undefined) return known;
    if (hash instanceof RubyHash && (hash.defaultProc !== undefined || hash.defaultValue !== null))
      return giveUp('a hash with a default');
    const pairs = Array.from(
      hash,
      ([key, item]) => [this.result(key, depth + 1), item, this.result(item, depth + 1)] as const,
    );
    const isSame =
      hash.constructor === PuppetHash &&
      !this.before.has(hash) &&
      pairs.every(([, item, now]) => item === now);
    const made = isSame ? hash : new PuppetHash(pairs.map(([key, , now]) => [key, now] as const));
    this.resolved.set(hash, made);
    return made;
  }
}

function putBack(changed: Container, original: Container): void {
  if (isArray(changed)) {
    // It was an array that was changed. One by one: a long list is too much for the arguments of a call.
    const list = changed as Value[];
    list.length = 0;
    for (const item of original as readonly Value[]) list.push(item);
    return;
  }
  for (const key of changed.keys()) changed.delete(key);
  for (const [key, value] of original as PuppetHash) changed.set(key, value);
}
