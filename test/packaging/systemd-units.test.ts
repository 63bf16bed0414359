import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../src/platform/settings/index.ts';

const folder = new URL('../../packaging/systemd/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/** What `systemd-analyze` says before the units were hardened was 96, in tenths. */
const highestExposure = 20;

const { settings } = loadSettings({
  flags: new Map(),
  environment: {},
  hostname: 'primary.example.net',
  readFile: () => undefined,
});
const { bucketDir, caDir, codeDir, codeStagingDir, packagesDir, reportDir, sslDir, stateDir, yamlDir } =
  settings;
const ofEveryServer = [stateDir, codeDir, sslDir, reportDir, yamlDir, bucketDir];
const written: Readonly<Record<string, readonly string[]>> = {
  'bunraku-primary.service': [...ofEveryServer, caDir, codeStagingDir, packagesDir],
  'bunraku-compile-server.service': ofEveryServer,
  'bunraku-ca.service': [],
};

describe.each(Object.keys(written))('%s', (unit) => {
  const text = read(unit);

  test('has a user and no capability', () => {
    expect(text).toMatch(unit === 'bunraku-ca.service' ? /^User=puppet-ca$/m : /^User=puppet$/m);
    expect(text).toMatch(/^CapabilityBoundingSet=$/m);
    expect(text).toMatch(/^NoNewPrivileges=true$/m);
    expect(read('bunraku.sysusers')).toMatch(/^u puppet /m);
    expect(read('bunraku.sysusers')).toMatch(/^u puppet-ca /m);
  });

  test('may write to the directories of the settings, and those belong to its user', () => {
    const writable = Array.from(text.matchAll(/^ReadWritePaths=(.*)$/gm), ([, paths = '']) =>
      paths.split(' '),
    );
    const paths = writable.flat().map((path) => path.replace(/^-/, ''));
    const owned = Array.from(
      read('bunraku.tmpfiles').matchAll(/^d (\S+) +\S+ puppet puppet$/gm),
      ([, path]) => path,
    );
    const isBelow = (path: string) => (parent: string | undefined) => `${path}/`.startsWith(`${parent}/`);
    for (const path of written[unit] ?? []) {
      expect(paths.some(isBelow(path)), `ReadWritePaths= lacks ${path}`).toBe(true);
      expect(owned.some(isBelow(path)), `tmpfiles lacks ${path}`).toBe(true);
    }
  });

  test.skipIf(!hasSystemd)('exposes little (skipped: needs systemd-analyze)', () => {
    const file = new URL(unit, folder).pathname;
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${highestExposure}`, file];
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect({ status, stdout }).toMatchObject({ status: 0 });
  });
});
