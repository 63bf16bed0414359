import { fault } from '../fault.ts';
import type { Value } from '../value.ts';

/** Lists that double reach the limit before a single one of them is more than the engine bears. */
export const MOST_ITEMS = 2_000_000;

/** All of them at once. @throws PuppetError in Ruby's words when they are too many */
export function itemsOf(values: Iterable<Value>): Value[] {
  const items: Value[] = [];
  for (const value of values) addItem(items, value);
  return items;
}

/** Puts a value at the end of a list. @throws PuppetError in Ruby's words when the list is too long for that */
export function addItem(items: Value[], value: Value): void {
  if (items.length >= MOST_ITEMS) throw fault('failed to allocate memory');
  items.push(value);
}
