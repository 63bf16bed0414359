import { expect, test } from 'vitest';
import { dueState, expectedRun } from './next-run.ts';

function runsAt(...times: readonly string[]) {
  return times.map((time) => ({ start_time: `2026-11-28T${time}:00Z`, job_id: null }));
}

test('the next run comes after the usual interval', () => {
  expect(expectedRun(runsAt('14:00', '13:30', '13:00', '09:00', '08:30'))).toEqual(
    new Date('2026-11-28T14:30:00Z'),
  );
});

test('runs of jobs do not count, and two runs are too few to tell', () => {
  const job = { start_time: '2026-11-28T14:10:00Z', job_id: '7' };

  expect(expectedRun([job, ...runsAt('14:00', '13:30', '13:00')])).toEqual(new Date('2026-11-28T14:30:00Z'));
  expect(expectedRun([job, ...runsAt('14:00', '13:30')])).toBeUndefined();
});

test('a run that has not come a minute after its time is overdue', () => {
  const expected = new Date('2026-11-28T14:30:00Z');
  const at = (time: string) => dueState(expected, new Date(`2026-11-28T${time}Z`));

  expect([at('14:29:59'), at('14:30:30'), at('14:31:00')]).toEqual(['ahead', 'now', 'overdue']);
});
