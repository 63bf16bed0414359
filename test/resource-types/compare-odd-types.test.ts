import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../scripts/debian-packages.ts';

const hasPuppet = isPresent(puppetAgent);

test
  .skipIf(!hasPuppet)
  .each([['read where they can be', []] as const, ['all run by Ruby', ['--ruby']] as const])(
  'types that are hard to read give the catalogs of Puppet: %s (skipped where it is missing)',
  (_how, options) => {
    const script = path.join(import.meta.dirname, 'compare-odd-types.ts');

    const { stdout, status } = spawnSync(
      process.execPath,
      [script, '--count', '40', '--seed', '7', ...options],
      { encoding: 'utf8' },
    );

    expect(stdout).toMatch(/ 0 differ;/);
    expect(status).toBe(0);
  },
);
