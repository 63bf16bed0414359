/** Pinned nodes: conditions on names, beside whatever else a rule says. */

import type { Condition } from './condition.ts';

/** A rule that matches these nodes as well. Nodes that are pinned already stay so. */
export function pin(rule: Condition | undefined, names: readonly string[]): Condition {
  const parts = rule === undefined ? [] : partsOf(rule);
  const pinned = new Set(parts.flatMap(pinnedName));
  const added = [...new Set(names)].filter((name) => !pinned.has(name));
  if (added.length === 0 && rule !== undefined) return rule;
  return ['or', ...parts, ...added.map((name): Condition => ['=', 'name', name])];
}

/** The rule without these nodes; `undefined` when nothing is left of it. */
export function unpin(rule: Condition | undefined, names: readonly string[]): Condition | undefined {
  if (rule === undefined) return undefined;
  const leaving = new Set(names);
  const parts = partsOf(rule);
  const staying = parts.filter((part) => !pinnedName(part).some((name) => leaving.has(name)));
  if (staying.length === parts.length) return rule;
  return staying.length === 0 ? undefined : ['or', ...staying];
}

export function isPinned(rule: Condition | undefined, name: string): boolean {
  return rule !== undefined && partsOf(rule).some((part) => pinnedName(part).includes(name));
}

/** What matches by itself. */
export function partsOf(rule: Condition): readonly Condition[] {
  return rule[0] === 'or' ? (rule.slice(1) as readonly Condition[]) : [rule];
}

/** The node that a part of a rule pins; at most one. */
export function pinnedName(part: Condition): readonly string[] {
  return part[0] === '=' && part[1] === 'name' ? [part[2]] : [];
}
