import { beforeEach, expect, test } from 'vitest';
import type { ReportedRun } from '../measure/run-log.ts';
import { FleetWork } from './fleet-work.ts';

const minute = 60_000;
let fleet: FleetWork;
let sent: Record<string, number>;

beforeEach(() => {
  fleet = new FleetWork({ herdToleranceMs: 10 * minute, leadMs: () => 3 * minute, startMs: 0 });
  sent = {};
});

function report(server: string, nowMs: number, ...runs: readonly ReportedRun[]): void {
  const first = sent[server] ?? 0;
  sent[server] = first + runs.length;
  fleet.note(server, 'then', { first, runs }, nowMs);
}

test('a request that tried several servers counts once, where it came first, with its age from there', () => {
  report('one', 0);
  report('two', 0);
  report('three', 0);
  report('one', 90_000, { node: 'a', ageMs: 0, workerMs: 6000 });
  for (let at = 2; at < 12; at++) {
    const nowMs = at * minute;
    report('one', nowMs, { node: 'a', ageMs: 0, retryMs: 5000 });
    report('two', nowMs + 5000, { node: 'a', ageMs: 0, retryMs: 5000 });
    expect(fleet.backlogSeconds(nowMs + 5000)).toBe(6);
    report('three', nowMs + 10_000, { node: 'a', ageMs: 100, workerMs: 6000 });
    expect(fleet.backlogSeconds(nowMs + 10_000)).toBe(0);
  }

  expect(['one', 'two', 'three'].map((server) => fleet.rate(server, 12 * minute))).toEqual([0.1, 0, 0]);
});

test('a report that comes again is ignored; a server that starts anew counts anew', () => {
  const runs = [{ node: 'a', ageMs: 0, retryMs: minute }];
  fleet.note('one', 'then', { first: 0, runs }, 0);
  fleet.note('one', 'then', { first: 0, runs: [...runs, { node: 'b', ageMs: 0, retryMs: minute }] }, 1000);
  expect(fleet.nodesWaiting).toBe(2);

  fleet.note('one', 'later', { first: 0, runs: [{ node: 'c', ageMs: 0, retryMs: minute }] }, 2000);
  expect(fleet.nodesWaiting).toBe(3);
  expect(fleet.backlogSeconds(4 * minute)).toBe(0);
});

test('a plan is trusted once it has come true for a run interval, and no longer when it does not', () => {
  const nodes = Array.from({ length: 120 }, (_, index) => ({ node: `n${index}`, atMs: index * 1000 }));
  let nowMs = 0;
  /** All nodes come within two minutes, from `offsetMs` on. */
  const interval = (offsetMs: number) => {
    for (const { atMs, node } of nodes) {
      nowMs = offsetMs + atMs;
      fleet.plan(nowMs);
      report('one', nowMs, { node, ageMs: 0, workerMs: 5000 });
    }
    for (let at = 2; at < 30; at++) fleet.plan((nowMs = offsetMs + at * minute));
  };

  interval(0);
  expect(fleet.plan(nowMs)).toMatchObject({ isTrusted: false, error: undefined });
  for (const round of [1, 2, 3, 4, 5]) interval(round * 30 * minute);

  const plan = fleet.plan(nowMs);
  // 600 worker-seconds, spread over ten minutes.
  expect(plan.workers).toBeCloseTo(1, 5);
  expect(plan.recentPeak).toBeCloseTo(1, 5);
  expect(plan).toMatchObject({ isTrusted: true, error: 0 });

  for (let at = 0; at < 20; at++) fleet.plan((nowMs = 180 * minute + at * minute));
  expect(fleet.plan(nowMs).isTrusted).toBe(false);
});

test('nodes that have waited for half of the tolerance are named, whichever server told them to retry later', () => {
  report('one', 0, { node: 'first', ageMs: 0, retryMs: 4 * minute });
  report('two', minute, { node: 'second', ageMs: 0, retryMs: 5 * minute });
  report('two', 4 * minute, { node: 'first', ageMs: 0, retryMs: 4 * minute });
  report('one', 4 * minute, { node: 'new', ageMs: 0, retryMs: 4 * minute });
  const early = fleet.longWaiting(4 * minute);
  const later = fleet.longWaiting(5 * minute);
  report('one', 5 * minute, { node: 'first', ageMs: 0, workerMs: 300 });

  expect([early, later]).toEqual([[], ['first']]);
  expect(fleet.longWaiting(6 * minute)).toEqual(['second']);
});

test('only so many are named as are served soon', () => {
  for (let node = 0; node < 1500; node++)
    report('one', node, { node: `n${node}`, ageMs: 0, retryMs: 9 * minute });

  const named = fleet.longWaiting(6 * minute);

  expect(named).toHaveLength(1000);
  expect(named[0]).toBe('n0');
});
