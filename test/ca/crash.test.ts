import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAcknowledged, runUntilKilled } from './crash-rounds.ts';

/** `kill-rounds.ts` does it 50 times with 1,000 operations. */
const rounds = 6;

let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-crash-'));
});

afterAll(() => rm(base, { recursive: true }));

test('killed at any moment, it repeats no number and keeps all that it acknowledged', async () => {
  const caDir = join(base, 'ca');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++)
    acknowledged.push(...(await runUntilKilled(caDir, `r${round}`, 5 + round * 7)));

  const result = await checkAcknowledged(caDir, acknowledged);

  expect(acknowledged.length).toBeGreaterThan(rounds * 5);
  expect(result).toMatchObject({
    repeatedSerials: 0,
    missingInInventory: 0,
    missingOnDisk: 0,
    missingInCrl: 0,
    isGood: true,
  });
});
