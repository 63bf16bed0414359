import { expect, test } from 'vitest';
import { factPathRows, filterField, isPlainPath, isRulePath } from './fact-paths.ts';

test('keys are a tree, and lists are values', () => {
  const rows = [
    { path: ['os', 'release', 'full'] },
    { path: ['os', 'name'] },
    { path: ['os', 'dns', 0, 'address'] },
    { path: ['os', 'a.b', 'c'] },
  ];

  expect(factPathRows(rows)).toEqual([
    { path: 'os', depth: 0, isValue: false },
    { path: 'os.dns', depth: 1, isValue: true },
    { path: 'os.name', depth: 1, isValue: true },
    { path: 'os.release', depth: 1, isValue: false },
    { path: 'os.release.full', depth: 2, isValue: true },
  ]);
});

test('a fact that is a text on one node and a hash on another has both', () => {
  expect(factPathRows([{ path: ['a'] }, { path: ['a', 'b'] }])).toEqual([
    { path: 'a', depth: 0, isValue: true },
    { path: 'a.b', depth: 1, isValue: true },
  ]);
});

test('filters name facts and trusted facts', () => {
  expect(filterField('os.name')).toBe('fact.os.name');
  expect(filterField('trusted.extensions.pp_role')).toBe('trusted.extensions.pp_role');
  expect([isPlainPath('os.name'), isPlainPath('os.a b')]).toEqual([true, false]);
});

test.each([
  ['os.release.full', true],
  ['trusted.extensions.pp_role', true],
  // A part of a list, and a key with a dot in it.
  ['disks.0.size', false],
  ['mountpoints./srv', false],
])('rules can name %s: %s', (path, isKnown) => {
  expect(isRulePath(path)).toBe(isKnown);
});
