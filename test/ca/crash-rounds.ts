/** Kills an authority while it works, and counts what it acknowledged and does not have. */

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeCertificates, decodeRevocationLists } from '../../src/platform/x509/index.ts';
import { type Finding, verifyDirectory } from '../../src/services/ca/index.ts';

const worker = fileURLToPath(new URL('crash-worker.ts', import.meta.url));

const longestDelayMs = 25;

export interface CrashResult {
  readonly signed: number;
  readonly revoked: number;
  readonly inventoryLines: number;
  readonly repeatedSerials: number;
  readonly missingInInventory: number;
  readonly missingOnDisk: number;
  readonly missingInCrl: number;
  readonly findings: readonly Finding[];
  readonly isGood: boolean;
}

/**
 * Lets the worker go on until it has acknowledged `count` things and a moment longer, then kills it as hard as possible.
 *
 * @returns what it acknowledged: `signed NAME`, `revoked NAME`
 */
export function runUntilKilled(caDir: string, prefix: string, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [worker, caDir, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      output += text;
      lines += text.split('\n').length - 1;
      // Not always right after an acknowledgement: within the next operations.
      if (lines >= count) setTimeout(() => child.kill('SIGKILL'), Math.random() * longestDelayMs);
    });
    child.on('error', reject);
    child.on('close', () => resolve(output.split('\n').slice(0, -1)));
  });
}

/** Reads the files as they are: no authority has repaired anything. */
export async function checkAcknowledged(
  caDir: string,
  acknowledged: readonly string[],
): Promise<CrashResult> {
  const inventory = readFileSync(join(caDir, 'inventory.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const serials = inventory.map((line) => line.split(' ')[0] ?? '');
  const names = new Set(inventory.map((line) => line.split('/CN=')[1]));
  const onDisk = new Set(readdirSync(join(caDir, 'signed')));
  const [own] = decodeRevocationLists(readFileSync(join(caDir, 'ca_crl.pem'), 'utf8'));
  const signed = namesOf(acknowledged, 'signed');
  const revoked = namesOf(acknowledged, 'revoked');
  const isRevoked = (certname: string) => {
    const [certificate] = decodeCertificates(readFileSync(join(caDir, 'signed', `${certname}.pem`), 'utf8'));
    return certificate !== undefined && own?.revokedSerials.has(certificate.serial) === true;
  };
  const counts = {
    repeatedSerials: serials.length - new Set(serials).size,
    missingInInventory: signed.filter((name) => !names.has(name)).length,
    missingOnDisk: signed.filter((name) => !onDisk.has(`${name}.pem`)).length,
    missingInCrl: revoked.filter((name) => !isRevoked(name)).length,
  };
  const { findings } = await verifyDirectory(caDir, false, new Date());
  // A last line that was cut off was never acknowledged; the next start completes or removes it.
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isGood = errors.length === 0 && Object.values(counts).every((count) => count === 0);
  return {
    signed: signed.length,
    revoked: revoked.length,
    inventoryLines: inventory.length,
    ...counts,
    findings,
    isGood,
  };
}

function namesOf(lines: readonly string[], what: string): string[] {
  return lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1));
}
