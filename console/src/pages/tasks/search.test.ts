import { expect, test } from 'vitest';
import { tasksSearch } from './search.ts';

test('what is usual is not part of an address, and what there is not falls away', () => {
  expect(tasksSearch({ q: '', environment: 'production', by: 'nodes', targets: 'a' })).toEqual({
    q: undefined,
    environment: undefined,
    by: undefined,
    targets: 'a',
    params: undefined,
  });
  expect(tasksSearch({ by: 'everything' }).by).toBeUndefined();
});
