import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { CertificateAuthority } from './authority.ts';
import { defaultCaSettings } from './ca-settings.ts';

const worker = fileURLToPath(new URL('../../../test/ca/crash-worker.ts', import.meta.url));
const rounds = 6;

let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-ca-crash-'));
});

afterAll(() => rm(base, { recursive: true }));

/** Lets the worker go on until it has acknowledged `count` things, then kills it as hard as possible. */
function runUntilKilled(caDir: string, prefix: string, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [worker, caDir, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(output.split('\n').slice(0, -1)));
  });
}

test('killed at any moment, it repeats no number and keeps all that it acknowledged', async () => {
  const caDir = join(base, 'ca');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    acknowledged.push(...(await runUntilKilled(caDir, `r${round}`, 5 + round * 7)));
  }

  const settings = { ...defaultCaSettings, caDir, caName: '' };
  const ca = await CertificateAuthority.open(settings, { log: silentLogger, now: () => new Date() });
  const inventory = (await readFile(join(caDir, 'inventory.txt'), 'utf8')).trimEnd().split('\n');
  const serials = inventory.map((line) => line.split(' ')[0]);
  const names = new Set(inventory.map((line) => line.split('/CN=')[1]));
  const signed = new Set(await readdir(join(caDir, 'signed')));
  const crl = execFileSync('openssl', [
    'crl',
    '-in',
    join(caDir, 'ca_crl.pem'),
    '-noout',
    '-text',
  ]).toString();

  expect(acknowledged.length).toBeGreaterThan(rounds * 5);
  expect(new Set(serials).size).toBe(serials.length);
  for (const line of acknowledged) {
    const [what, certname = ''] = line.split(' ');
    expect(names).toContain(certname);
    expect(signed).toContain(`${certname}.pem`);
    if (what !== 'revoked') continue;
    expect((await ca.findStatus(certname))?.state).toBe('revoked');
  }
  expect(crl.match(/Serial Number:/g)?.length ?? 0).toBeGreaterThanOrEqual(
    acknowledged.filter((line) => line.startsWith('revoked')).length,
  );
  await ca.close();
});
