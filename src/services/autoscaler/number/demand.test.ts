import { expect, test } from 'vitest';
import { demandOf } from './demand.ts';

const noPlan = { workers: 0, error: undefined, isTrusted: false, recentPeak: 0 };
const options = { target: 0.6, herdToleranceSeconds: 600 };
const idle = { work: 0, backlogSeconds: 0 };
const server = { workers: 2, work: 1.2, eventLoop: 0.1 };

test('as many workers as needed use the target', () => {
  expect(demandOf([server, server], idle, noPlan, options)).toMatchObject({
    work: 2.4,
    backlog: 0,
    capacity: 4,
    need: 4,
    demandWorkers: 2.4,
    capacityUsed: 0.6,
  });
});

test('the backlog is to be served within the tolerance, beside new requests', () => {
  const { backlog, need } = demandOf([server], { work: 0, backlogSeconds: 1080 }, noPlan, options);

  expect(backlog).toBe(2);
  expect(need).toBe(2 + 2);
});

test('a busy main thread counts as much as busy workers', () => {
  expect(demandOf([{ workers: 4, work: 0.1, eventLoop: 0.8 }], idle, noPlan, options).work).toBe(4);
});

test('the total of all servers counts when it exceeds their sum', () => {
  const load = { work: 3, backlogSeconds: 0 };

  expect(demandOf([server, server], load, noPlan, options)).toMatchObject({ work: 3, need: 5 });
  expect(demandOf([server, server, server], load, noPlan, options).work).toBeCloseTo(3.6);
});

test('a plan adds servers when it is trusted; a crowd that came only keeps them', () => {
  const planned = { workers: 8.5, error: 0.1, isTrusted: true, recentPeak: 0 };
  const recent = { workers: 8.5, error: 0.5, isTrusted: false, recentPeak: 8.5 };

  expect(demandOf([server], idle, planned, options).need).toBe(10);
  expect(demandOf([server], idle, recent, options).need).toBe(2);
  expect(demandOf([server, server, server, server, server, server], idle, recent, options).need).toBe(12);
  const resting = { ...server, work: 0 };
  expect(
    demandOf(
      Array.from({ length: 6 }, () => resting),
      idle,
      recent,
      options,
    ).need,
  ).toBe(10);
});

test('without a server, everything is missing', () => {
  expect(demandOf([], { work: 0, backlogSeconds: 540 }, noPlan, options)).toMatchObject({
    capacity: 0,
    need: 1,
    capacityUsed: 0.6,
  });
});
