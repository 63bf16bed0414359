import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventQueue } from './event-queue.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { controllerNames, type DayOptions, simulateDay } from './simulate-day.ts';

/** A fleet of a hundredth of the size, with catalogs that take as much longer: it needs as many servers. */
const small: DayOptions = {
  nodes: 500,
  hours: 6,
  runIntervalMs: 30 * 60_000,
  compileMs: 10_000,
  workers: 2,
  target: 0.6,
  min: 2,
  max: 30,
  herdToleranceSeconds: 600,
  maxRetryDelaySeconds: 120,
  seed: 1,
};

function scenario(name: string): Scenario {
  const found = scenarios.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return found;
}

test('events come in the order of their times', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 3000 }), (times) => {
      const queue = new EventQueue();
      for (const [index, at] of times.entries()) queue.add(at, index);

      const taken = times.map(() => {
        const at = queue.nextMs;
        return [at, times[queue.take()]];
      });

      expect(taken.every(([at, own]) => at === own)).toBe(true);
      expect(taken.map(([at]) => at)).toEqual(times.toSorted((a, b) => a - b));
      expect(queue.nextMs).toBe(Number.POSITIVE_INFINITY);
    }),
    { numRuns: 50 },
  );
});

describe('A small fleet', () => {
  test('that comes evenly gets servers for its load, and keeps them', () => {
    const { brokenBounds, outcome } = simulateDay(scenario('splayed'), 'rule', small);

    expect(brokenBounds).toEqual([]);
    // 500 nodes of 10 s in 30 minutes keep 2.8 workers busy, of 4.6 that are needed.
    expect(outcome.serverHours).toBeGreaterThan(3 * 6 - 1);
    expect(outcome.serverHours).toBeLessThan(4.1 * 6);
    expect(outcome).toMatchObject({ failedRuns: 0, lateRuns: 0 });
    expect(outcome.runs).toBeGreaterThan(500 * 11);
  });

  test('is the same each time with the same seed, and another with another', () => {
    const run = (seed: number) => simulateDay(scenario('power-failure'), 'rule', { ...small, seed }).outcome;

    expect(run(7)).toEqual(run(7));
    expect(run(8)).not.toEqual(run(7));
  });

  test('that lost its servers gets new ones, and failed runs are counted', () => {
    const loss = { ...scenario('splayed'), loss: { atMs: 2 * 60 * 60_000, share: 1 } };
    const { outcome } = simulateDay(loss, 'rule', small);

    expect(outcome.failedRuns).toBeGreaterThan(0);
    expect(outcome.mostServers).toBeGreaterThanOrEqual(3);
    expect(outcome.runs).toBeGreaterThan(500 * 10);
  });

  test('no controller exceeds the maximum number of servers', () => {
    for (const name of controllerNames) {
      const { outcome } = simulateDay(scenario('failing-launches'), name, { ...small, max: 4 });
      expect(outcome.mostServers).toBeLessThanOrEqual(4);
      expect(outcome.hasReachedMax).toBe(true);
    }
  });

  test('after a power failure is served within the tolerance by the rule, and not by processor time', () => {
    const rule = simulateDay(scenario('power-failure'), 'rule', small);
    const cpu = simulateDay(scenario('power-failure'), 'cpu', small);

    expect(rule.outcome.longestWaitSeconds).toBeLessThan(cpu.outcome.longestWaitSeconds);
    expect(rule.outcome.lateRuns).toBeLessThan(cpu.outcome.lateRuns);
  });
});
