import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { codeDeployCommand } from './deploy.ts';

test.each([
  ['--validate'],
  ['--node', 'web01'],
  ['--module', 'apache'],
  ['--no-modules'],
  ['--dry-run'],
  ['--format', 'json'],
])('what is staged is committed as it is: %s is refused rather than left aside', async (...options) => {
  const data = mkdtempSync(join(tmpdir(), 'bunraku-deploy-'));
  onTestFinished(() => rmSync(data, { recursive: true }));

  const deployed = runCommand(codeDeployCommand, 'production', ...options, '--data', data);

  await expect(deployed).rejects.toThrow(`${options[0]} needs a control repository`);
});

test.each([
  [['--format', 'yaml'], "--format is text or json, not 'yaml'"],
  [['--message', 'why'], '--message is for what is staged'],
])('%j is refused before anything is deployed', async (options, message) => {
  const asked = createServer((socket) => void socket.destroy());
  let requests = 0;
  asked.on('connection', () => (requests += 1));
  await new Promise<void>((resolve) => void asked.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void asked.close());
  const url = `https://127.0.0.1:${(asked.address() as AddressInfo).port}`;

  const deployed = runCommand(codeDeployCommand, 'production', '--service-url', url, ...options);

  await expect(deployed).rejects.toThrow(message);
  expect(requests).toBe(0);
});
