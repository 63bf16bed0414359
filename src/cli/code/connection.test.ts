import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { codeStatusCommand } from './status.ts';

const data = mkdtempSync(join(tmpdir(), 'bunraku-code-'));
mkdirSync(join(data, 'puppet'));
for (const name of ['token', 'ca.pem']) writeFileSync(join(data, name), '');
afterAll(() => rmSync(data, { recursive: true }));

/** Asks for the status on a port where nothing listens. @returns what went wrong */
async function complaint(...settings: readonly string[]): Promise<unknown> {
  const place = ['--data', data, '--token-file', join(data, 'token'), '--cacert', join(data, 'ca.pem')];
  return await runCommand(codeStatusCommand, ...place, '--listen', '127.0.0.1', ...settings).then(
    ({ out }) => out,
    (error: unknown) => String(error),
  );
}

test('without a code manager, the error names the setting that switches it on', async () => {
  // Nothing listens on this port: it would need root and an uncommon service.
  const port = '1';
  const withConfig = join(data, 'r10k.yaml');
  writeFileSync(withConfig, '---\nsources: {}\n');

  const messages = {
    off: await complaint('--code_manager_port', '0'),
    absent: await complaint('--code_manager_port', port, '--code_manager_config', '/nowhere/r10k.yaml'),
    down: await complaint('--code_manager_port', port, '--code_manager_config', withConfig),
    elsewhere: await complaint('--code_manager_port', port, '--primary', 'localhost'),
  };

  expect(messages).toEqual({
    off: expect.stringContaining('set code_manager_port (8170 is usual)') as string,
    absent: expect.stringContaining('no code manager without /nowhere/r10k.yaml') as string,
    down: expect.stringContaining('Does the primary run') as string,
    elsewhere: expect.stringContaining('Does the primary run') as string,
  });
});
