import { expect, test } from 'vitest';
import { scheduledTitle } from './scheduled-job.ts';

test.each([
  [{ type: 'deploy', description: '', noop: false }, 'Run Puppet'],
  [{ type: 'deploy', description: '', noop: true }, 'Run Puppet, no-op'],
  [{ type: 'task', task: 'package', description: '', noop: false }, 'package'],
  [{ type: 'plan', plan: 'patch', description: 'every Sunday', noop: false }, 'every Sunday'],
] as const)('the schedule %j starts %s', (job, title) => {
  expect(scheduledTitle(job)).toBe(title);
});
