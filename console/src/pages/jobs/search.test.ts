import { expect, test } from 'vitest';
import { jobsSearch } from './search.ts';

test('known states and types are part of the address, unknown ones are ignored', () => {
  expect(jobsSearch({ state: 'failed', type: 'plan_task', other: 'x' })).toEqual({
    state: 'failed',
    type: 'plan_task',
  });
  expect(jobsSearch({ state: 'lost', type: 'constructor' })).toEqual({ state: undefined, type: undefined });
});
