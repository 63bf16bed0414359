/**
 * `node test/ca/kill-rounds.ts [ROUNDS] [OPERATIONS]`: kills the authority at a random moment of so many signings and
 * revocations, again and again, and counts what is missing afterwards. 50 rounds of 1,000 when not said otherwise.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAcknowledged, runUntilKilled } from './crash-rounds.ts';

const [rounds = 50, operations = 1000] = process.argv.slice(2).map(Number);
const base = mkdtempSync(join(tmpdir(), 'bunraku-kill-'));
const caDir = join(base, 'ca');
const began = performance.now();
const acknowledged: string[] = [];

try {
  for (let round = 0; round < rounds; round++) {
    // Anywhere between the first and the last of them.
    const count = 1 + Math.floor(Math.random() * operations);
    acknowledged.push(...(await runUntilKilled(caDir, `r${round}`, count)));
  }
  const result = await checkAcknowledged(caDir, acknowledged);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${rounds} rounds of up to ${operations} operations, killed each time, in ${seconds} s`);
  console.log(`acknowledged: ${result.signed} signatures, ${result.revoked} revocations`);
  console.log(
    `inventory: ${result.inventoryLines} lines, serial numbers used twice: ${result.repeatedSerials}`,
  );
  console.log(`missing in the inventory: ${result.missingInInventory}, on disk: ${result.missingOnDisk}`);
  console.log(`revocations missing in the CRL: ${result.missingInCrl}`);
  for (const { message, severity } of result.findings) console.log(`${severity}: ${message}`);
  process.exitCode = result.isGood ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}
