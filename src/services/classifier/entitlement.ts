/**
 * Rights by membership in a group. What a node says of itself (facts, the choice of its name) gives classes, never rights:
 * a node is entitled by a pin, or by a part of the rule that it matches and that asks for a trusted fact.
 */

import { type ClassifiedNode, type Comparison, type Condition, compileCondition } from './condition.ts';
import type { Hierarchy } from './hierarchy.ts';

/** What a certificate proves. */
export type ProvenNode = Pick<ClassifiedNode, 'name' | 'trusted'>;

/** Whether a node belongs, provably, to one of the groups with these names. */
export function isEntitled(hierarchy: Hierarchy, names: ReadonlySet<string>, proven: ProvenNode): boolean {
  const node = { ...proven, fact: {} };
  return hierarchy.all().some((group) => {
    const rule = names.has(group.name) ? hierarchy.fullRule(group) : undefined;
    return rule !== undefined && holds(rule, node) && entitles(rule, node);
  });
}

/** Whether the condition is true whatever the facts are: one that asks for a fact is not. */
function holds(condition: Condition, node: ClassifiedNode): boolean {
  switch (condition[0]) {
    case 'and':
      return inner(condition).every((each) => holds(each, node));
    case 'or':
      return inner(condition).some((each) => holds(each, node));
    case 'not':
      return !mentionsFacts(condition[1]) && !holds(condition[1], node);
    default:
      return !mentionsFacts(condition) && compileCondition(condition)(node);
  }
}

/** Whether a pin or a trusted fact is what makes the condition true. */
function entitles(condition: Condition, node: ClassifiedNode): boolean {
  switch (condition[0]) {
    case 'and':
      return inner(condition).some((each) => entitles(each, node));
    case 'or':
      return inner(condition).some((each) => holds(each, node) && entitles(each, node));
    case 'not':
      return false;
    default:
      return isProof(condition as Comparison) && holds(condition, node);
  }
}

function isProof([operator, path]: Comparison): boolean {
  return path === 'name' ? operator === '=' : Array.isArray(path) && path[0] === 'trusted';
}

function mentionsFacts(condition: Condition): boolean {
  if (condition[0] === 'and' || condition[0] === 'or') return inner(condition).some(mentionsFacts);
  if (condition[0] === 'not') return mentionsFacts(condition[1]);
  const [, path] = condition as Comparison;
  return path !== 'name' && !(Array.isArray(path) && path[0] === 'trusted');
}

function inner(condition: Condition): readonly Condition[] {
  return condition.slice(1) as readonly Condition[];
}
