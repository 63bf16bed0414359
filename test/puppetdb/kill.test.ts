/** A few rounds of `kill-rounds.ts`. */

import { expect, test } from 'vitest';
import { postgresPrograms } from '../support/running-postgres.ts';
import { runKillRounds } from './kill-rounds.ts';

/** The moments are the same in each run of the test. */
function pseudoRandom(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('whatever is acknowledged is there once after PuppetDB was killed', async () => {
  const summary = await runKillRounds('SQLite', 2, pseudoRandom());

  expect(summary.findings).toEqual([]);
  expect(summary.acknowledged).toBeGreaterThan(0);
});

test.skipIf(postgresPrograms === undefined)(
  'whatever is acknowledged is there once after PostgreSQL was killed (skipped where it is not installed)',
  async () => {
    const summary = await runKillRounds('PostgreSQL', 2, pseudoRandom());

    expect(summary.findings).toEqual([]);
    expect(summary.databaseKills).toBe(1);
  },
);
