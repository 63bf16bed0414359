import { beforeEach, expect, test } from 'vitest';
import { usedShare, WorkMeter } from './work-meter.ts';

let nowMs: number;
let meter: WorkMeter;

beforeEach(() => {
  nowMs = 0;
  meter = new WorkMeter({
    nowMs: () => nowMs,
    workers: 2,
    meanCompileMs: () => 500,
    queued: () => 3,
    eventLoop: () => 0.2,
  });
});

test('a run is reported with its age and the time of the worker', () => {
  meter.admit('a.test');
  nowMs = 2000;
  meter.compiled('a.test', 750.4);
  meter.leave('a.test');
  nowMs = 5000;

  expect(meter.unreported()).toEqual({ first: 0, runs: [{ node: 'a.test', ageMs: 5000, workerMs: 750 }] });
});

test('a run keeps the time of the first attempt, and its work counts once', () => {
  for (nowMs = 0; nowMs < 3 * 60_000; nowMs += 1000) meter.putOff('a.test', 60_000);
  meter.admit('a.test');
  meter.compiled('a.test', 500);

  const { runs } = meter.unreported();
  expect(runs.at(-1)).toEqual({ node: 'a.test', ageMs: nowMs, workerMs: 500 });
  expect(runs).toHaveLength(181);
  expect(meter.report().work).toBe(0);
});

test('a request that was put off is backlog until it is served or the agent gives up; queued requests count, too', () => {
  const backlog = () => meter.report().backlogSeconds;
  meter.putOff('a.test', 30_000);
  meter.putOff('b.test', 30_000);
  expect(backlog()).toBe(2 * 0.5 + 3 * 0.5);

  meter.admit('a.test');
  meter.compiled('a.test', 500);
  expect(backlog()).toBe(0.5 + 3 * 0.5);

  nowMs = 30_000 + 60_000;
  expect(backlog()).toBe(3 * 0.5);
});

test('a compile that no agent asked for, and a request without a compile, are not reported', () => {
  meter.compiled('person.test', 500);
  meter.admit('a.test');
  meter.leave('a.test');
  meter.compiled('a.test', 500);

  expect(meter.unreported().runs).toEqual([]);
});

test('acknowledged runs are not sent again, newer ones are', () => {
  const run = (node: string) => {
    meter.admit(node);
    meter.compiled(node, 1);
  };
  run('a.test');
  const sent = meter.unreported();
  run('b.test');
  meter.acknowledge({ first: sent.first, count: sent.runs.length });
  meter.acknowledge({ first: sent.first, count: sent.runs.length });

  expect(meter.unreported()).toMatchObject({ first: 1, runs: [{ node: 'b.test' }] });
});

test('while the primary is away the oldest runs are dropped, and numbers go on', () => {
  for (let run = 0; run < 20_001; run++) {
    meter.admit(`n${run}`);
    meter.compiled(`n${run}`, 1);
  }

  const { first, runs } = meter.unreported();
  expect(first + runs.length).toBe(20_001);
  expect(runs.length).toBeLessThanOrEqual(20_000);
  expect(runs.at(-1)?.node).toBe('n20000');
});

test('the share that is used is that of the workers or of the main thread, whichever is higher', () => {
  expect(usedShare(3, 0.2, 2)).toBe(1.5);
  expect(usedShare(0.2, 0.8, 2)).toBe(1);
  expect(usedShare(0, 0, 0)).toBe(0);
});

test('nodes that have waited for long at any server are known until the next word of the primary', () => {
  meter.noteLongWaiting(new Set(['old.test']));
  const before = [meter.hasWaitedLong('old.test'), meter.hasWaitedLong('new.test')];
  meter.noteLongWaiting(new Set());

  expect(before).toEqual([true, false]);
  expect(meter.hasWaitedLong('old.test')).toBe(false);
});
