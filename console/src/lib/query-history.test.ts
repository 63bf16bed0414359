import { expect, test } from 'vitest';
import { readHistory, withQuery } from './query-history.ts';

test('the latest query comes first, without duplicates', () => {
  expect(withQuery(['a', 'b'], 'b')).toEqual(['b', 'a']);
  expect(withQuery(Array.from({ length: 40 }, String), 'x')).toHaveLength(30);
});

test('stored text that cannot be read is dropped', () => {
  expect(readHistory('{')).toEqual([]);
  expect(readHistory('["a", 1]')).toEqual(['a']);
  expect(readHistory(null)).toEqual([]);
});
