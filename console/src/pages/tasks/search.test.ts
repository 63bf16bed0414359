import { expect, test } from 'vitest';
import { tasksSearch } from './search.ts';

test('default values are left out of the address, and unknown values are ignored', () => {
  expect(tasksSearch({ q: '', code: 'production', by: 'nodes', targets: 'a' })).toEqual({
    q: undefined,
    code: undefined,
    by: undefined,
    targets: 'a',
    params: undefined,
  });
  expect(tasksSearch({ by: 'everything' }).by).toBeUndefined();
});
