import { expect, test } from 'vitest';
import { CallTimer } from './call-timer.ts';

test('a timer tells how often and how long, and forgets what was long ago', () => {
  let nowMs = 0;
  const timer = new CallTimer(() => nowMs);
  const take = (ms: number) => timer.time(() => void (nowMs += ms));

  // Ten a second for five minutes: each takes 1 ms, one of them 5.
  for (let count = 0; count < 3000; count += 1) {
    take(count === 2999 ? 5 : 1);
    nowMs += 99;
  }
  const busy = timer.figures();
  nowMs += 300_000;
  const silent = timer.figures();

  expect(busy.rates['1']).toBeCloseTo(10, 0);
  expect(busy.rates.total).toBeCloseTo(10, 1);
  expect([busy.largest, busy.smallest, busy.percentiles['0.99']]).toEqual([5e6, 1e6, 1e6]);
  expect(silent.rates['1']).toBeLessThan(0.1);
  expect(silent.rates.total).toBeCloseTo(5, 1);
});

test('a timer of nothing has zeros, and passes errors on', () => {
  const timer = new CallTimer(() => 0);

  expect(timer.figures()).toMatchObject({ mean: 0, largest: 0, rates: { '1': 0, total: 0 } });
  expect(() =>
    timer.time(() => {
      throw new Error('passed on');
    }),
  ).toThrow('passed on');
  expect(timer.figures().rates['1']).toBeGreaterThan(0);
});
