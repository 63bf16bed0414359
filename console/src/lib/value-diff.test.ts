import { expect, test } from 'vitest';
import { leavesOf, valueDifferences } from './value-diff.ts';

test('only differences are listed, each with its path', () => {
  const left = leavesOf([
    { name: 'os', value: { name: 'Debian', release: { major: '12' } } },
    { name: 'only', value: null },
  ]);
  const right = leavesOf([{ name: 'os', value: { name: 'Debian', release: { major: '13' } } }]);

  expect(valueDifferences(left, right)).toEqual([
    { name: 'only', left: null },
    { name: 'os.release.major', left: '12', right: '13' },
  ]);
});

test('empty hashes and lists are values', () => {
  expect(Array.from(leavesOf([{ name: 'a', value: { b: {}, c: [1] } }]))).toEqual([
    ['a.b', {}],
    ['a.c.0', 1],
  ]);
});
