import { expect, test } from 'vitest';
import { explainScaling, holdText, scalingSteps } from './scaling.ts';

const numbers = {
  need_workers: 6.37,
  work_workers: 3.6,
  backlog_workers: 0.4,
  planned_workers: 4.25,
  plan_trusted: true,
  plan_error: 0.1,
  recent_peak_workers: 3.9,
  serving_workers: 4,
};
const status = { settings: { target: 0.6 }, complete: true, numbers, nodes: { waiting: 1200 } };

test('says where the need comes from', () => {
  expect(explainScaling(status)).toEqual([
    'Steady load: 3.6 workers busy. At a target of 60 %, 6.0 workers are needed.',
    'Backlog: 1,200 nodes were told to retry later. 0.4 workers are needed to serve them in time.',
    'Forecast peak of the next 30 minutes: 4.3 workers busy. 5.0 workers are needed.',
    'In total, 6.4 workers are needed and 4 are in service.',
  ]);
});

test('says what is not known or not trusted', () => {
  const untrusted = { ...numbers, plan_trusted: false, plan_error: 0.4 };
  const text = explainScaling({ ...status, complete: false, numbers: untrusted, nodes: { waiting: 0 } });

  expect(text[1]).toBe('Backlog: no nodes were told to retry later.');
  expect(text[2]).toContain('The forecast is not used: it was wrong by 40 % lately.');
  expect(text[3]).toContain('3.9 workers busy');
  expect(text[4]).toContain('Not all numbers are known yet.');
  expect(explainScaling({ ...status, numbers: { ...untrusted, plan_error: null } })[2]).toContain(
    'Too few runs are known',
  );
});

test('has words for a hold, and shows one that is new as it is', () => {
  expect(holdText('paused')).toBe('scaling is paused');
  expect(holdText('full-moon')).toBe('full-moon');
});

test('makes steps of entries, the one that applied at the beginning included', () => {
  const entries = [
    { time: '2026-01-01T10:00:00.000Z', serving: 3, wanted: 3 },
    { time: '2026-01-01T09:00:00.000Z', serving: 2, wanted: 3 },
    { time: '2026-01-01T07:00:00.000Z', serving: 2, wanted: 2 },
    { time: '2026-01-01T06:00:00.000Z', serving: 1, wanted: 1 },
  ];
  const [from, now] = [Date.parse('2026-01-01T08:00:00Z'), Date.parse('2026-01-01T11:00:00Z')];

  const steps = scalingSteps(entries, { timeMs: now, serving: 3, wanted: 4 }, from);

  expect(steps.map(({ serving, timeMs, wanted }) => [(timeMs - from) / 3_600_000, serving, wanted])).toEqual([
    [0, 2, 2],
    [1, 2, 3],
    [2, 3, 3],
    [3, 3, 4],
  ]);
});
