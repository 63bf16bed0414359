import { expect, test } from 'vitest';
import { factTree, searchedTree } from './fact-tree.ts';

const tree = factTree([
  { name: 'os', value: { name: 'Debian', release: { major: '12' } } },
  { name: 'kernel', value: 'Linux' },
]);

test('facts are in the order of their names, parts with their whole path', () => {
  expect(tree.map(({ name }) => name)).toEqual(['kernel', 'os']);
  expect(tree[1]?.children.map(({ path }) => path)).toEqual(['os.name', 'os.release']);
});

test('a search keeps what has the text in its path or its value, and what is above it', () => {
  expect(searchedTree(tree, 'debian')).toMatchObject([{ path: 'os', children: [{ path: 'os.name' }] }]);
  expect(searchedTree(tree, 'release')[0]?.children[0]?.children[0]?.path).toBe('os.release.major');
  expect(searchedTree(tree, 'nowhere')).toEqual([]);
  expect(searchedTree(tree, ' ')).toBe(tree);
});
