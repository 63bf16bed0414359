/** A sample of the comparison in all-modules.ts, with the installed modules. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../scripts/debian-packages.ts';

const isComparable =
  isPresent(puppetAgent) &&
  existsSync('/usr/share/puppet/modules/apache') &&
  existsSync('/usr/share/puppet/modules/mysql');

const sample = [
  ['--modules', '^(stdlib|archive)$'],
  ['--types', '^(sshkey|mysql_grant|concat_file|cron|mount|firewall)$'],
  ['--templates', '(apache/templates/(vhost|mod)/_?[a-m]|haproxy|mysql|ntp|logrotate|rsyslog|ssh)'],
  ['--rounds', '1'],
].flat();

test.skipIf(!isComparable)(
  'functions, types and templates of Debian modules are what they are in Puppet, in each layer (skipped where it or they are missing)',
  () => {
    const script = path.join(import.meta.dirname, 'all-modules.ts');

    const { status, stdout } = spawnSync(process.execPath, [script, '--installed', ...sample], {
      encoding: 'utf8',
    });

    const rows = stdout
      .split('\n')
      .filter((line) => /^\| (?!what|---)/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, what = '', layer = '', all = '', same = '', , different = '']) => ({
        what: what.replace(/\d+ /, ''),
        layer,
        isAllSame: Number(all) > 5 && (layer === 'L1' ? Number(same) > Number(all) / 2 : same === all),
        different,
      }));
    const right = (what: string, layers: readonly string[]) =>
      layers.map((layer) => ({ what, layer, isAllSame: true, different: '0' }));
    expect(rows, stdout).toEqual([
      ...right('functions 3.x that load', ['L2']),
      ...right('functions 4.x that load', ['L2']),
      ...right('functions 3.x that load', ['L3']),
      ...right('functions 4.x that load', ['L3']),
      ...right('resource types', ['L0', 'L2']),
      ...right('renderings of templates', ['L1', 'L2', 'L3']),
    ]);
    expect(status).toBe(0);
  },
);
