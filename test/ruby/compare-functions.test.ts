/** A sample of the comparison in compare-functions.ts. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const isComparable =
  spawnSync('ruby', ['-e', "exit RUBY_VERSION.start_with?('3.1.')"]).status === 0 &&
  existsSync('/usr/share/puppet/modules.available/puppetlabs-stdlib');

test.skipIf(!isComparable)(
  'functions of modules do the same without Ruby (skipped where Ruby 3.1 or the modules of Debian are missing)',
  () => {
    const script = path.join(import.meta.dirname, 'compare-functions.ts');

    const { status, stdout } = spawnSync(process.execPath, [script, '--rounds', '8'], { encoding: 'utf8' });

    expect(stdout).toMatch(
      /^2\d\d functions, [1-9]\d* of them interpreted; \d+ calls: [1-9]\d\d* equal, .* 0 different/m,
    );
    expect(status).toBe(0);
  },
);
