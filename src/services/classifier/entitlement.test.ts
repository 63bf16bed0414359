import { expect, test } from 'vitest';
import type { Condition } from './condition.ts';
import { isEntitled } from './entitlement.ts';
import { type Group, rootGroup, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';

const now = new Date(0);
const node = {
  name: 'compile1.example.net',
  trusted: { certname: 'compile1.example.net', extensions: { pp_role: 'compile_master' } },
};
const role: Condition = ['=', ['trusted', 'extensions', 'pp_role'], 'compile_master'];
const fact: Condition = ['=', ['fact', 'role'], 'compile_master'];
const pinned: Condition = ['=', 'name', 'compile1.example.net'];

function group(name: string, rule: Condition | undefined, parent: string = rootId): Group {
  return { ...rootGroup(now), id: name, name, parent, ...(rule === undefined ? {} : { rule }) };
}

function entitled(rule: Condition, others: readonly Group[] = [], parent?: string): boolean {
  const hierarchy = new Hierarchy([rootGroup(now), ...others, group('PE Master', rule, parent)]);
  return isEntitled(hierarchy, new Set(['PE Master']), node);
}

test.each<readonly [string, Condition]>([
  ['a pin', ['or', pinned]],
  ['a trusted fact', role],
  ['a trusted fact, with a condition on the name', ['and', ['~', 'name', '^compile'], role]],
  ['one branch of several that asks for a trusted fact', ['or', fact, role]],
  ['a trusted fact that excludes others', ['and', role, ['not', ['=', 'name', 'other']]]],
])('%s entitles', (_, rule) => {
  expect(entitled(rule)).toBe(true);
});

test.each<readonly [string, Condition]>([
  ['a fact', fact],
  ['any name', ['~', 'name', '.*']],
  ['the absence of a trusted fact', ['not', ['=', ['trusted', 'extensions', 'pp_role'], 'web']]],
  ['a trusted fact together with a fact, which nothing proves', ['and', role, fact]],
  ['a trusted fact that excludes by a fact', ['and', role, ['not', fact]]],
  ['the pin of another node', ['=', 'name', 'other']],
  ['a trusted fact with another value', ['=', ['trusted', 'extensions', 'pp_role'], 'web']],
])('%s does not', (_, rule) => {
  expect(entitled(rule)).toBe(false);
});

test('the rules of the groups above count, too', () => {
  const above = (rule: Condition) => [group('PE Infrastructure', rule)];

  expect(entitled(pinned, above(['=', 'name', 'other']), 'PE Infrastructure')).toBe(false);
  expect(entitled(pinned, above(['~', 'name', 'compile']), 'PE Infrastructure')).toBe(true);
});

test('groups with other names entitle no node', () => {
  const hierarchy = new Hierarchy([rootGroup(now), group('Web', role)]);

  expect(isEntitled(hierarchy, new Set(['PE Master']), node)).toBe(false);
});
