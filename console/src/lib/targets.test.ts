import { expect, test } from 'vitest';
import { reachText, scopeOf, scopeText } from './targets.ts';

test.each([
  [{ kind: 'nodes', text: 'a, b' }, { nodes: ['a', 'b'] }],
  [{ kind: 'query', text: ' nodes[certname] {} ' }, { query: 'nodes[certname] {}' }],
  [{ kind: 'group', text: 'ab-1' }, { node_group: 'ab-1' }],
  [{ kind: 'nodes', text: ' ' }, undefined],
] as const)('the choice %j is the scope %j', (choice, scope) => {
  expect(scopeOf(choice)).toEqual(scope);
});

test.each([
  [{ total: 3, connected: 3 }, '3 nodes'],
  [{ total: 3, connected: 1 }, '3 nodes, 2 of them not connected'],
  [{ total: 1, connected: 0 }, '1 node, not connected'],
  [{ total: 2, connected: 0 }, '2 nodes, none connected'],
  [{ total: 0, connected: 0 }, 'No node matches'],
  [{ total: 0, connected: 0, reason: 'Node group x has no rules' }, 'Node group x has no rules'],
])('%j is said as %j', (reach, text) => {
  expect(reachText({ levels: [], ...reach })).toBe(text);
});

test.each([
  [{ nodes: ['a.test'] }, 'a.test'],
  [{ nodes: ['a.test', 'b.test'] }, '2 nodes'],
  [{ query: 'nodes[certname] {}' }, 'all nodes that match'],
])('the scope %j is said as %s', (scope, text) => {
  expect(scopeText(scope)).toBe(text);
});
