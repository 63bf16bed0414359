import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../scripts/debian-packages.ts';

const hasPuppet = isPresent(puppetAgent);

test.skipIf(!hasPuppet)(
  'lookups and their explanations are those of Puppet (skipped where it is missing)',
  () => {
    const script = path.join(import.meta.dirname, 'compare-with-puppet.ts');

    const { stdout, status } = spawnSync(
      process.execPath,
      [
        script,
        '--only',
        'kinds of paths|layers|a hierarchy with|returns Hash|version 4|unusually|binary data',
      ],
      {
        encoding: 'utf8',
      },
    );

    expect(stdout).toMatch(/ 0 differ$/m);
    expect(status).toBe(0);
  },
);
