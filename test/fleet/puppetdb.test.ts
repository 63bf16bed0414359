/** A sample of the fleet's commands to PuppetDB; `node test/fleet/run-puppetdb.ts` compares all of it. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const hasModules = existsSync('/usr/share/puppet/modules.available/puppetlabs-apache');

test.skipIf(!hasModules)(
  'catalogs are kept as the real terminus sends them (skipped where Debian modules are missing)',
  () => {
    const script = path.join(import.meta.dirname, 'run-puppetdb.ts');

    const { status, stdout } = spawnSync(
      process.execPath,
      [script, '--only', '^(web01|lb01|pg01|app01|enc01)'],
      {
        encoding: 'utf8',
      },
    );

    expect(stdout).toMatch(/^5 the same \(\d{4} resources, \d{4} edges\), 0 differ$/m);
    expect(status).toBe(0);
  },
);
