import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { watchSigningRules } from './signing-rules.ts';

test('waiting requests are looked at again at the start and when a file of rules has changed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-rules-'));
  const [autosign, signingPolicy] = [join(directory, 'autosign.conf'), join(directory, 'policy.yaml')];
  let count = 0;
  const ca = { reconsider: () => Promise.resolve(void (count += 1)) };
  const watch = watchSigningRules(ca, { autosign, signingPolicy }, silentLogger);
  const counts: number[] = [];
  const look = async () => {
    await watch.run();
    counts.push(count);
  };

  await look();
  await look();
  writeFileSync(autosign, '*.example.net\n');
  await look();
  writeFileSync(signingPolicy, 'rules: []\n');
  await look();
  rmSync(autosign);
  await look();
  await look();

  expect(counts).toEqual([1, 1, 2, 3, 4, 4]);
  await watch.stop();
  rmSync(directory, { recursive: true });
});
