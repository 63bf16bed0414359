import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const modules = '/usr/share/puppet/modules.available';
const hasPuppet = spawnSync('ruby', ['-e', "require 'puppet'"]).status === 0;

test.skipIf(!hasPuppet || !existsSync(`${modules}/puppetlabs-apache`))(
  'a sample of the templates in Debian modules renders as in Puppet (skipped where it or they are missing)',
  { timeout: 120_000 },
  () => {
    const script = path.join(import.meta.dirname, 'compare-with-ruby.ts');
    const only = '(apache/templates/(vhost|mod)/_?[a-m]|haproxy|mysql|ntp|logrotate|rsyslog)';

    const { stdout, status } = spawnSync(process.execPath, [script, '--rounds', '3', '--only', only], {
      encoding: 'utf8',
    });

    expect(stdout).toMatch(/ [1-9]\d* equal, .* 0 different/);
    expect(status).toBe(0);
  },
);
