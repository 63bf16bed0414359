import { expect, test } from 'vitest';
import { isLongList } from './long-lists.ts';

test('a list is long when more pages have been read than are read again by themselves', () => {
  const withPages = (count: number) => ({
    state: { data: { pages: Array.from({ length: count }), pageParams: [] } },
  });

  expect([3, 4].map((count) => isLongList(withPages(count)))).toEqual([false, true]);
  expect([undefined, null, [], { rows: [] }].map((data) => isLongList({ state: { data } }))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
