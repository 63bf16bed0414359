import { expect, test } from 'vitest';
import { jobSearch } from './search.ts';

test('a state that nodes can have is kept', () => {
  expect(jobSearch({ state: 'errored' })).toEqual({ state: 'errored' });
  expect(jobSearch({ state: 'stopping' })).toEqual({ state: undefined });
});
