/** The rule of a group as people read it: pinned nodes apart from the rest. */

import { isDeepStrictEqual } from 'node:util';
import type { WireGroup } from './connection.ts';

/** As JSON has it; the classifier checks it. */
export type Rule = Exclude<WireGroup['rule'], undefined>;

export interface RuleAndPins {
  /** Absent where there are pins only, or nothing. */
  readonly rule?: Rule;
  /** In the order of the alphabet. */
  readonly pins: readonly string[];
}

/** A pin is a condition on the name beside whatever else matches. */
export function splitRule(rule: Rule | undefined): RuleAndPins {
  if (rule === undefined) return { pins: [] };
  const parts = partsOf(rule);
  const pins = [...new Set(parts.flatMap(pinnedName))].sort();
  const others = parts.filter((part) => pinnedName(part).length === 0);
  if (pins.length === 0) return { rule, pins };
  const [only] = others;
  if (only === undefined) return { pins };
  return { rule: others.length === 1 ? only : ['or', ...others], pins };
}

export function joinRule({ pins, rule }: RuleAndPins): Rule | undefined {
  if (pins.length === 0) return rule;
  return ['or', ...(rule === undefined ? [] : partsOf(rule)), ...pins.map((name) => ['=', 'name', name])];
}

/** Whether two rules say the same, in whatever order nodes were pinned. */
export function isSameRule(a: Rule | undefined, b: Rule | undefined): boolean {
  return isDeepStrictEqual(normalized(a), normalized(b));
}

function normalized(rule: Rule | undefined): RuleAndPins {
  return splitRule(joinRule(splitRule(rule)));
}

function partsOf(rule: Rule): readonly Rule[] {
  if (!Array.isArray(rule)) return [rule];
  return rule[0] === 'or' ? (rule.slice(1) as readonly Rule[]) : [rule];
}

function pinnedName(part: Rule): readonly string[] {
  if (!Array.isArray(part)) return [];
  const [operator, path, name] = part as readonly Rule[];
  return operator === '=' && path === 'name' && typeof name === 'string' ? [name] : [];
}
