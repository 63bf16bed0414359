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

test('the environment of all pages is that of the code, unless another is chosen', () => {
  expect(tasksSearch({ environment: 'testing' }).code).toBe('testing');
  expect(tasksSearch({ environment: 'testing', code: 'production' }).code).toBe('production');
  expect(tasksSearch({ environment: 'production' }).code).toBeUndefined();
  expect(tasksSearch({ code: 'testing' }).code).toBe('testing');
});
