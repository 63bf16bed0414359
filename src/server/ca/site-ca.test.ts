import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings, parseFlags } from '../../platform/settings/index.ts';
import { readSiteCa } from './site-ca.ts';

function settingsWith(caConf: string) {
  const directory = mkdtempSync(join(tmpdir(), 'site-ca-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'ca.conf');
  writeFileSync(file, caConf);
  const { values: flags } = parseFlags(['--certname', 'primary.example.net', '--ca-conf', file]);
  return loadSettings({ flags, environment: {}, hostname: 'h', readFile: () => undefined }).settings;
}

test('a client whitelist in ca.conf does not shut out the primary itself', async () => {
  const conf = 'certificate-authority: { certificate-status: { client-whitelist: [aws-lambda] } }';

  const { statusAccess } = await readSiteCa(settingsWith(conf));

  expect(statusAccess?.certnames).toEqual(['aws-lambda', 'primary.example.net']);
});

test('without a whitelist auth.conf decides', async () => {
  const { statusAccess } = await readSiteCa(settingsWith('certificate-authority: {}'));

  expect(statusAccess).toBeUndefined();
});
