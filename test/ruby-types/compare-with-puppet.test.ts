import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const modules = '/usr/share/puppet/modules';
const hasPuppet = spawnSync('ruby', ['-e', "require 'puppet'"]).status === 0;

test.skipIf(!hasPuppet || !existsSync(`${modules}/mysql`)).each([[], ['--ruby']])(
  'a sample of the types in Debian modules is what Puppet says (skipped where it or they are missing) %s',
  (...options) => {
    const script = path.join(import.meta.dirname, 'compare-with-puppet.ts');
    const only = '^(sshkey|mysql_grant|mysql_user|concat_file|cron|host|mount|firewall|augeas)$';

    const { stdout, status } = spawnSync(process.execPath, [script, modules, ...options, '--only', only], {
      encoding: 'utf8',
    });

    expect(stdout).toMatch(/^[1-9]\d* exact, 0 flagged, 0 wrong/m);
    expect(status).toBe(0);
  },
);
