/** The packages that `npm run package` makes: their content runs. With a real systemd it does in `booted-units.peers.ts`. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeDebianPackage } from './support/debian-package.ts';

describe('The packages', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-packages-'));
  const unpacked = join(directory, 'unpacked');
  let file: string;
  beforeAll(() => {
    file = makeDebianPackage(inject('project'), directory);
    execFileSync('dpkg-deb', ['--extract', file, unpacked]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const listOf = (path: string) => readdirSync(join(unpacked, path)).sort();

  test('the one for Debian has the program with its Node, units, users and directories, and runs', () => {
    const { version } = JSON.parse(readFileSync(join(inject('project'), 'package.json'), 'utf8')) as {
      readonly version: string;
    };

    expect(execFileSync('dpkg-deb', ['--field', file, 'Package', 'Version'], { encoding: 'utf8' })).toBe(
      `Package: bunraku\nVersion: ${version}\n`,
    );
    expect(listOf('usr/lib/systemd/system')).toEqual(
      readdirSync(join(inject('project'), 'packaging/systemd'))
        .filter((name) => name.endsWith('.service'))
        .sort(),
    );
    expect([...listOf('usr/lib/sysusers.d'), ...listOf('usr/lib/tmpfiles.d')]).toEqual([
      'bunraku.conf',
      'bunraku.conf',
    ]);
    expect(listOf('usr/lib/bunraku/dist').filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(readlinkSync(join(unpacked, 'usr/bin/bunraku'))).toBe('../lib/bunraku/bin/bunraku');
    // Without the Node of this machine on the path.
    const run = (...args: readonly string[]) =>
      execFileSync(join(unpacked, 'usr/bin/bunraku'), args, {
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin' },
      });
    expect(run('--version')).toContain(version);
    expect(run('evaluate', '-e', '1 + 1')).toContain('2');
  });

  test('its scripts are right for the shells of all systems', () => {
    for (const script of ['postinst', 'prerm', 'postrm']) {
      const path = join(inject('project'), 'packaging/debian', script);
      const { status, stdout } = spawnSync('shellcheck', [path], { encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, '']);
    }
  });

  test('the archive has the same program', () => {
    const archive = readdirSync(directory).find((name) => name.endsWith('.tar.gz')) ?? '';
    const listed = execFileSync('tar', ['-tzf', join(directory, archive)], { encoding: 'utf8' }).split('\n');
    const [folder = ''] = (listed[0] ?? '').split('/');
    const inArchive = listed.filter((name) => !name.endsWith('/') && /^[^/]+\/(bin|dist)\//.test(name));

    const installed = execFileSync('find', ['bin', 'dist', '-type', 'f'], {
      cwd: join(unpacked, 'usr/lib/bunraku'),
      encoding: 'utf8',
    });

    expect(inArchive.map((name) => name.slice(folder.length + 1)).sort()).toEqual(
      installed.trim().split('\n').sort(),
    );
  });
});
