/** A sample of what compare-rubies.ts compares. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const isComparable =
  spawnSync('ruby', ['-e', "exit RUBY_VERSION.start_with?('3.1.')"]).status === 0 &&
  existsSync('/usr/share/puppet/modules.available/puppetlabs-apache');

test.skipIf(!isComparable)(
  'the built-in Ruby renders and evaluates as Ruby 3.1 does (skipped where that or the modules of Debian are missing)',
  { timeout: 120_000 },
  () => {
    const script = path.join(import.meta.dirname, 'compare-rubies.ts');
    const only = '(apache/templates/mod/_?[a-h]|haproxy|mysql|ntp|ssh)';

    const { status, stdout } = spawnSync(process.execPath, [script, '--rounds', '1', '--only', only], {
      encoding: 'utf8',
    });

    expect(stdout).toMatch(/^templates \([1-9]\d*\): [1-9]\d* equal, .* 0 different/m);
    expect(stdout).toMatch(/^expressions: 8\d\d equal, .* 0 different/m);
    expect(status).toBe(0);
  },
);
