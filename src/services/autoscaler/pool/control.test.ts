import { expect, test } from 'vitest';
import { seededRandom } from '../simulation/random.ts';
import { killAtRandom } from './random-kills.testing.ts';
import { rebootsAndDepartures } from './reboots-and-departures.testing.ts';
import { VirtualPool } from './virtual-pool.testing.ts';

const minute = 60_000;

test('servers are launched, join and serve, as many as are wanted', () => {
  const pool = new VirtualPool({ random: seededRandom(1), killing: 0, restarts: false });

  pool.run(2 * minute);

  expect([...pool.stored.values()].map(({ state }) => state)).toEqual(['serving', 'serving', 'serving']);
  expect(pool.orphans()).toEqual([]);
});

test('1,000 reboots and departures in random order: no server that reboots loses its certificate, none that leaves keeps it', () => {
  const { departures, mistakes, orphans, reboots } = rebootsAndDepartures(2, 1000);

  expect(mistakes).toBe(0);
  expect(Math.min(departures, reboots)).toBeGreaterThan(400);
  expect(orphans).toEqual([]);
});

test('1,000 kills at random points leave nothing behind two minutes later, and never make two instances of an order', () => {
  let kills = 0;
  const found: string[] = [];
  for (let seed = 1; kills < 1000; seed++) {
    const outcome = killAtRandom(seed);
    kills += outcome.kills;
    found.push(...outcome.found.map((what) => `seed ${seed}: ${what}`));
  }

  expect(found).toEqual([]);
});
