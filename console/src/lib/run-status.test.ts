import { expect, test } from 'vitest';
import { outcomeStatus } from './run-status.ts';

const run = { status: 'unchanged', noop: false, noopPending: false, corrective: false } as const;

test.each([
  [{}, 'unchanged'],
  [{ status: 'failed' }, 'failed'],
  [{ status: 'changed' }, 'intentional'],
  [{ status: 'changed', corrective: true }, 'corrective'],
  [{ noop: true }, 'noop-unchanged'],
  [{ noop: true, noopPending: true }, 'noop-intentional'],
  [{ noop: true, noopPending: true, corrective: true }, 'noop-corrective'],
  [{ noop: true, status: 'failed' }, 'noop-failed'],
  [{ noopPending: true }, 'unchanged'],
  [{ status: null }, 'unreported'],
] as const)('a run with %j is %s', (differing, status) => {
  expect(outcomeStatus({ ...run, ...differing })).toBe(status);
});
