import { expect, test } from 'vitest';
import type { AgentAction } from './action-journal.ts';
import { type JobEnd, type JobNodeEnd, judgeJobs } from './job-verdict.ts';

const action = { certname: 'a', transactionId: 'one', token: 'first', startedAt: 1 };
const ended = (exitCode: number): AgentAction => ({ ...action, end: { at: 2, exitCode } });
const node: JobNodeEnd = { name: 'a', state: 'finished', result: { ran: 'one' } };
const job: JobEnd = { name: '1', token: 'first', state: 'finished', wasStopped: false, nodes: [node] };
const withNode = (changes: Partial<JobNodeEnd>): JobEnd => ({ ...job, nodes: [{ ...node, ...changes }] });

test('a job whose nodes ended as their agents say has no fault', () => {
  const failed = withNode({ state: 'failed' });

  expect(judgeJobs([job], [ended(0)])).toEqual({ states: { finished: 1 }, faults: [] });
  expect(judgeJobs([failed], [ended(1)])).toEqual({ states: { failed: 1 }, faults: [] });
});

test('a node that was skipped has not run, and only where somebody stopped the job', () => {
  const skipped = withNode({ state: 'skipped' });
  const stopped = { ...skipped, wasStopped: true };

  expect(judgeJobs([stopped], []).faults).toEqual([]);
  expect(judgeJobs([skipped], []).faults).toEqual(['job 1 on a: is skipped, and did not run']);
  expect(judgeJobs([stopped], [ended(0)]).faults).toEqual([
    'job 1 on a: is skipped, and ended with exit code 0',
  ]);
});

test('what ran twice is a fault, in one transaction as in two', () => {
  const again = { ...ended(0), transactionId: 'two' };

  expect(judgeJobs([job], [ended(0), ended(0)]).faults).toEqual(['job 1 on a: ran 2 times']);
  expect(judgeJobs([job], [ended(0), again]).faults).toEqual(['job 1 on a: ran 2 times']);
});

test('another state, another result, an end that did not come and an action that nobody asked for are faults', () => {
  const msg = 'a is not connected to the PCP broker';
  const errored = withNode({ state: 'errored', result: { _error: { msg } } });

  expect(judgeJobs([errored], [ended(0)]).faults).toEqual([
    `job 1 on a: is errored (${msg}), and ended with exit code 0`,
  ]);
  expect(judgeJobs([withNode({ result: { ran: 'two' } })], [ended(0)]).faults).toEqual([
    'job 1 on a: has the result of something else',
  ]);
  expect(judgeJobs([job], [action]).faults).toEqual(['job 1 on a: is finished, and still runs']);
  expect(judgeJobs([], [ended(0)]).faults).toEqual(['first a: no job has asked for this']);
});
