import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { caCommand } from './ca.ts';
import { certCommand } from './cert.ts';

test("'puppet cert' words make and list certificates, options before or after the action", async () => {
  const data = mkdtempSync(join(tmpdir(), 'cert-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  await runCommand(caCommand, 'setup', '--data', data, '--keylength', '2048');

  const generated = await runCommand(
    certCommand,
    '--data',
    data,
    'generate',
    'a.test',
    '--dns_alt_names=b.test',
  );
  const listed = await runCommand(certCommand, 'list', '-a', '--data', data);
  const unknown = await runCommand(certCommand, '--allow-dns-alt-names', 'sign', 'c.test', '--data', data);

  expect(generated.exitCode).toBe(0);
  expect(listed.out).toMatch(/a\.test.*DNS:b\.test/);
  expect(unknown.exitCode).toBe(1);
  expect(unknown.err).toContain('c.test');
});

test('actions that are gone name what to type', async () => {
  await expect(runCommand(certCommand, 'fingerprint', 'a.test')).rejects.toThrow(
    'bunraku ca list --certname',
  );
  await expect(runCommand(certCommand)).rejects.toThrow('name an action');
});
