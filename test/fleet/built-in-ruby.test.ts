/** A sample of the fleet without any Ruby of the machine; `npm run fleet -- --ruby wasm` compiles all of it. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const hasModules = existsSync('/usr/share/puppet/modules.available/puppetlabs-apache');

test.skipIf(!hasModules)(
  'nodes with templates, functions and backends in Ruby have the same catalogs in the built-in Ruby (skipped where Debian modules are missing)',
  () => {
    const script = path.join(import.meta.dirname, 'run-fleet.ts');
    const only = '^(web01|lb01|pg01|fail-(erb-error|function-raises|legacy-function|assert))';

    const { status, stdout } = spawnSync(process.execPath, [script, '--ruby', 'wasm', '--only', only], {
      encoding: 'utf8',
    });

    expect(stdout).toMatch(/^[4-9]\d* the same, 0 known to differ, 0 differ/);
    expect(status).toBe(0);
  },
);
