import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.testing.ts';
import { codeDeployCommand } from './deploy.ts';

test.each([['--validate'], ['--node', 'web01'], ['--module', 'apache'], ['--no-modules'], ['--dry-run']])(
  'what is staged is committed as it is: %s is refused rather than left aside',
  async (...options) => {
    const data = mkdtempSync(join(tmpdir(), 'bunraku-deploy-'));
    onTestFinished(() => rmSync(data, { recursive: true }));

    const deployed = runCommand(codeDeployCommand, 'production', ...options, '--data', data);

    await expect(deployed).rejects.toThrow(`${options[0]} needs a control repository`);
  },
);
