import { expect, test } from 'vitest';
import { jobsSearch } from './search.ts';

test('states and types that there are make part of an address, others do not', () => {
  expect(jobsSearch({ state: 'failed', type: 'plan_task', other: 'x' })).toEqual({
    state: 'failed',
    type: 'plan_task',
  });
  expect(jobsSearch({ state: 'lost', type: 'constructor' })).toEqual({ state: undefined, type: undefined });
});
