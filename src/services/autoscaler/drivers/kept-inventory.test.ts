import { beforeEach, expect, test } from 'vitest';
import { type Driver, DriverError } from './driver.ts';
import { withKeptInventory } from './kept-inventory.ts';

let nowMs: number;
let asked: number;
let problem: DriverError | undefined;
let driver: Driver;

beforeEach(() => {
  [nowMs, asked, problem] = [0, 0, undefined];
  const platform: Driver = {
    name: 'platform',
    countedBy: 'platform',
    assumedLeadMs: 1,
    launch: async () => [],
    end: async () => {},
    async inventory() {
      asked += 1;
      if (problem !== undefined) throw problem;
      return [{ id: `i-${asked}`, state: 'running' }];
    },
  };
  driver = withKeptInventory(platform, { keepMs: 30_000, nowMs: () => nowMs });
});

test('an answer is kept, and questions at the same time share one', async () => {
  const together = await Promise.all([driver.inventory(), driver.inventory()]);
  nowMs = 29_999;
  const kept = await driver.inventory();
  nowMs = 30_000;
  const fresh = await driver.inventory();

  expect([...together, kept, fresh].map((found) => found?.[0]?.id)).toEqual(['i-1', 'i-1', 'i-1', 'i-2']);
});

test('the end of an instance makes it ask again', async () => {
  await driver.inventory();
  await driver.end('i-1');

  expect(await driver.inventory()).toEqual([{ id: 'i-2', state: 'running' }]);
});

test('a failure is told again for a third of the time', async () => {
  problem = new DriverError('throttled', 'soon');
  await expect(driver.inventory()).rejects.toThrow('throttled');
  problem = undefined;
  nowMs = 9999;
  await expect(driver.inventory()).rejects.toThrow('throttled');
  nowMs = 10_000;

  expect(await driver.inventory()).toHaveLength(1);
  expect(asked).toBe(2);
});
