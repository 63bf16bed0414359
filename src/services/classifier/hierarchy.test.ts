import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/service-error.ts';
import { type Group, rootGroup, rootId } from './group.ts';
import { Hierarchy } from './hierarchy.ts';

test('a regular expression that would take years is matched in linear time where it can be', () => {
  const root = rootGroup(new Date(0));
  const rule = ['~', ['fact', 'role'], '(.*a){25}$'] as const;
  const slow: Group = {
    ...root,
    id: '11111111-1111-4111-8111-111111111111',
    name: 'Slow',
    parent: rootId,
    rule,
  };
  const hierarchy = new Hierarchy([root, slow]);
  const node = (role: string) => ({ name: 'a.example', fact: { role }, trusted: {} });

  const found = [`${'a'.repeat(500)}!`, 'a'.repeat(500)].map((role) => hierarchy.matching(node(role)).length);

  expect(found).toEqual([1, 2]);
});

// Agents say what their facts are: one of them must not keep everybody else from being served.
test('a regular expression that fails on a fact costs one classification, and is named', () => {
  const root = rootGroup(new Date(0));
  const astray: Group = {
    ...root,
    id: '11111111-1111-4111-8111-111111111111',
    name: 'Astray',
    parent: rootId,
    // Look-around is left to JavaScript's engine.
    rule: ['~', ['fact', 'role'], '^(?=a)(a|a)*$'],
  };
  const hierarchy = new Hierarchy([root, astray], 1000);
  const node = (role: string) => ({ name: 'a.example', fact: { role }, trusted: {} });

  expect(() => hierarchy.matching(node(`${'a'.repeat(60)}!`))).toThrow(
    new ServiceError(
      'compile-failed',
      "Classifying a.example took too long: gave up in the rule of the group 'Astray'",
    ),
  );
  expect(new Hierarchy([root, astray]).matching(node('aaa')).map(({ name }) => name)).toEqual([
    'All Nodes',
    'Astray',
  ]);
});
