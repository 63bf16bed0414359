import { expect, test } from 'vitest';
import { batchesOf, nodesIn } from './batches.ts';

const nodes = (count: number) => Array.from({ length: count }, (_, index) => `node${index}`);
const sizesOf = (count: number, sizes: Parameters<typeof batchesOf>[1]) =>
  batchesOf(nodes(count), sizes).map(({ length }) => length);

test.each([
  [10, [4], [4, 4, 2]],
  [25, ['10%'], [...Array.from({ length: 12 }, () => 2), 1]],
  [3, ['10%'], [1, 1, 1]],
  [10, [1, '20%', '50%'], [1, 2, 5, 2]],
  [4, ['100%'], [4]],
  [4, [9], [4]],
  [0, [1], []],
])('%i nodes in batches of %j are %j', (count, sizes, expected) => {
  expect(sizesOf(count, sizes)).toEqual(expected);
});

test('each node is in one batch, in the order given', () => {
  expect(batchesOf(nodes(23), [1, '30%']).flat()).toEqual(nodes(23));
});

test('a percentage is of all nodes, rounded down', () => {
  expect(nodesIn('10%', 29)).toBe(2);
  expect(nodesIn('0%', 29)).toBe(0);
  expect(nodesIn(7, 29)).toBe(7);
});
