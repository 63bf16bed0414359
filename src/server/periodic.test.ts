import { expect, test, vi } from 'vitest';
import { silentLogger } from '../platform/log/index.ts';
import { periodically } from './periodic.ts';

test('rounds that fall into one that takes long are left out, and a failure ends nothing', async () => {
  vi.useFakeTimers();
  const ends: (() => void)[] = [];
  let rounds = 0;
  const periodic = periodically(
    () => {
      rounds += 1;
      return new Promise((resolve, reject) =>
        ends.push(rounds === 1 ? resolve : () => reject(new Error('x'))),
      );
    },
    1000,
    silentLogger,
    'do the test',
  );

  await vi.advanceTimersByTimeAsync(5000);
  expect(rounds).toBe(1);
  ends.shift()?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds).toBe(2);
  ends.shift()?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds).toBe(3);
  ends.shift()?.();
  await periodic.stop();
  vi.useRealTimers();
});
