import { expect, test } from 'vitest';
import { runsText } from './run-quarters.ts';

const none = {
  failed: 0,
  corrective: 0,
  intentional: 0,
  unchanged: 0,
  'noop-failed': 0,
  'noop-corrective': 0,
  'noop-intentional': 0,
  'noop-unchanged': 0,
};

test.each([
  [none, 'no run'],
  [{ ...none, unchanged: 1 }, '1 run: 1 unchanged'],
  [{ ...none, failed: 2, unchanged: 1200 }, '1,202 runs: 2 failed, 1,200 unchanged'],
])('%j is %s', (counts, words) => {
  expect(runsText(counts)).toBe(words);
});
