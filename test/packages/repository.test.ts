/** Repositories of agent packages, held against the tools that make them elsewhere. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gpgSigner, PackageRepository } from '../../src/services/packages/index.ts';
import { platformOf } from '../../src/services/packages/platform-tag.ts';

const samples = join(import.meta.dirname, 'samples');
const rpm = join(samples, 'openvox-agent-8.11.0-1.el9.x86_64.rpm');
const isDebian = spawnSync('dpkg-deb', ['--version']).status === 0;

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-packages-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

function repository(): PackageRepository {
  return new PackageRepository(join(directory, 'packages'), () => new Date(0));
}

function served(name: string): Buffer {
  return readFileSync(join(directory, 'packages', 'current', name));
}

function buildDeb(compression: string): string {
  const root = join(directory, `root-${compression}`);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  const control = `Package: puppet-agent
Version: 8.10.0-1bookworm
Architecture: amd64
Maintainer: Somebody <somebody@example.com>
Depends: tar, readline-common
Description: Puppet
 The agent, in many words.
 .
 And more of them.
`;
  writeFileSync(join(root, 'DEBIAN', 'control'), control);
  const file = join(directory, `puppet-agent_8.10.0-1bookworm_amd64.deb`);
  const { status, stderr } = spawnSync('dpkg-deb', [`-Z${compression}`, '--build', root, file], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return file;
}

describe('The platform of a package', () => {
  test.each([
    ['puppet-agent_8.10.0-1bookworm_amd64.deb', 'debian-12-amd64'],
    ['puppet-agent_7.34.0-1jammy_arm64.deb', 'ubuntu-22.04-arm64'],
    ['openvox-agent_8.11.0-1+debian12_amd64.deb', 'debian-12-amd64'],
    ['openvox-agent_8.11.0-1+ubuntu24.04_amd64.deb', 'ubuntu-24.04-amd64'],
    ['puppet-agent_7.23.0-1_all.deb', undefined],
    ['puppet-agent-8.10.0-1.el9.x86_64.rpm', 'el-9-x86_64'],
    ['puppet-agent-8.10.0-1.redhatfips8.x86_64.rpm', 'redhatfips-8-x86_64'],
    ['puppet-agent-8.10.0-1.sles15.x86_64.rpm', 'sles-15-x86_64'],
    ['puppet-agent-8.10.0-1.fc40.x86_64.rpm', 'fedora-40-x86_64'],
    ['puppet-agent-8.10.0-1.amazon2023.aarch64.rpm', 'amazon-2023-aarch64'],
    ['puppet-agent-8.10.0-x64.msi', 'windows-x86_64'],
    ['puppet-agent-8.10.0-x86.msi', 'windows-i386'],
    ['puppet-agent.tar.gz', undefined],
  ])('%s', (name, platform) => {
    expect(platformOf(name)).toBe(platform);
  });
});

describe('RPM packages', () => {
  test('are described as createrepo_c describes them', async () => {
    await repository().add(rpm);

    for (const name of ['primary', 'filelists']) {
      const ours = gunzipSync(served(`el-9-x86_64/repodata/${name}.xml.gz`)).toString('utf8');
      expect(elements(ours)).toEqual(elements(readFileSync(join(samples, `${name}.xml`), 'utf8')));
    }
    expect(served('el-9-x86_64/repodata/repomd.xml').toString('utf8')).toContain('type="primary"');
    expect(served('el-9-x86_64/agent-package').toString('utf8')).toBe('openvox-agent\n');
  });

  test('that are damaged are refused', async () => {
    const whole = readFileSync(rpm);
    for (const [bytes, reason] of [
      [whole.subarray(0, 50), 'it is no RPM package'],
      [whole.subarray(0, 3000), 'it ends before it is complete'],
      [Buffer.from('no package at all'), 'it is no RPM package'],
    ] as const) {
      const path = join(directory, 'agent-1.el9.x86_64.rpm');
      writeFileSync(path, bytes);

      await expect(repository().add(path)).rejects.toThrow(`Could not add ${path}: ${reason}`);
    }
    expect(await repository().list()).toEqual([]);
  });
});

describe.skipIf(!isDebian)('Debian packages (needs the Debian package dpkg)', () => {
  test.each(['none', 'gzip', 'xz', 'zstd'])(
    'are read when their control is compressed by %s',
    async (kind) => {
      await repository().add(buildDeb(kind));

      const index = served('debian-12-amd64/Packages').toString('utf8');
      expect(index).toMatch(/^Package: puppet-agent\nVersion: 8\.10\.0-1bookworm\n/);
      expect(index).toContain('\n .\n And more of them.\n');
      expect(index).toMatch(
        /\nFilename: \.\/puppet-agent_8\.10\.0-1bookworm_amd64\.deb\nSize: \d+\nMD5sum: /,
      );
      expect(gunzipSync(served('debian-12-amd64/Packages.gz')).toString('utf8')).toBe(index);
      expect(served('debian-12-amd64/agent-package').toString('utf8')).toBe('puppet-agent\n');
    },
  );

  test('are read by dpkg-deb without the program xz', async () => {
    const file = buildDeb('xz');
    const programs = join(directory, 'programs');
    mkdirSync(programs);
    symlinkSync('/usr/bin/dpkg-deb', join(programs, 'dpkg-deb'));
    symlinkSync('/usr/bin/tar', join(programs, 'tar'));
    vi.stubEnv('PATH', programs);

    await repository().add(file);

    expect(served('debian-12-amd64/Packages').toString('utf8')).toMatch(/^Package: puppet-agent\n/);
  });

  test('name the Debian package that is missing where nothing can unpack xz', async () => {
    const file = buildDeb('xz');
    vi.stubEnv('PATH', directory);

    await expect(repository().add(file)).rejects.toThrow(/no program xz \(Debian: xz-utils/);
  });

  test('are listed, and removed with their description', async () => {
    const packages = repository();
    await packages.add(buildDeb('gzip'));
    await packages.add(rpm);
    const listed = await packages.list();

    await packages.remove('debian-12-amd64', 'puppet-agent_8.10.0-1bookworm_amd64.deb');

    expect(listed.map(({ platform }) => platform)).toEqual(['debian-12-amd64', 'el-9-x86_64']);
    expect((await packages.list()).map(({ platform }) => platform)).toEqual(['el-9-x86_64']);
    expect(existsSync(join(directory, 'packages/current/debian-12-amd64/agent-package'))).toBe(false);
    await expect(packages.remove('debian-12-amd64', 'x.deb')).rejects.toThrow(
      'There is no package debian-12-amd64/x.deb',
    );
  });

  test('whose names do not tell their platform need it told', async () => {
    const path = join(directory, 'puppet-agent_7.23.0-1_all.deb');
    copyFileSync(buildDeb('gzip'), path);

    await expect(repository().add(path)).rejects.toThrow('its name does not tell its platform');
    await expect(repository().add(path, '../x')).rejects.toThrow("'../x' is not a platform");
    expect((await repository().add(path, 'debian-12-amd64')).platform).toBe('debian-12-amd64');
  });
});

const hasGpg = spawnSync('gpg', ['--version']).status === 0;

describe.skipIf(!hasGpg || !isDebian)('Repositories that are signed (needs the Debian package gnupg)', () => {
  const address = 'packages@example.test';

  beforeEach(() => {
    const home = join(directory, 'gnupg');
    mkdirSync(home, { mode: 0o700 });
    vi.stubEnv('GNUPGHOME', home);
    const make = ['--batch', '--passphrase', '', '--quick-generate-key', address, 'ed25519', 'sign', 'never'];
    expect(spawnSync('gpg', make).status).toBe(0);
  });
  afterEach(() => {
    spawnSync('gpgconf', ['--kill', 'all']);
    vi.unstubAllEnvs();
  });

  const signed = () =>
    new PackageRepository(join(directory, 'packages'), () => new Date(), gpgSigner(address));

  /** What the real apt says of the repository, with nothing of this machine's own. */
  function updateApt() {
    const repositoryDirectory = join(directory, 'packages', 'current', 'debian-12-amd64');
    const list = join(directory, 'sources.list');
    writeFileSync(
      list,
      `deb [signed-by=${repositoryDirectory}/repository-key.asc] file:${repositoryDirectory} ./\n`,
    );
    mkdirSync(join(directory, 'lists', 'partial'), { recursive: true });
    const options = [
      `Dir::Etc::sourcelist=${list}`,
      'Dir::Etc::sourceparts=-',
      `Dir::State::lists=${directory}/lists`,
      `Dir::Cache=${directory}`,
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option]);
    const update = spawnSync('apt-get', [...options, 'update'], { encoding: 'utf8' });
    const policy = spawnSync('apt-cache', [...options, 'policy', 'puppet-agent'], { encoding: 'utf8' });
    return { status: update.status, output: update.stdout + update.stderr, policy: policy.stdout };
  }

  test('are believed by apt, and not when somebody else has changed them', async () => {
    await signed().add(buildDeb('gzip'));

    const genuine = updateApt();
    const file = join(directory, 'packages', 'current', 'debian-12-amd64', 'InRelease');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Label: Puppet', 'Label: Changed'));
    rmSync(join(directory, 'lists'), { recursive: true });
    const changed = updateApt();

    expect(genuine.output).not.toMatch(/^[WE]:/m);
    expect(genuine.policy).toContain('Candidate: 8.10.0-1bookworm');
    expect(changed.output).toMatch(/BADSIG|not signed|invalid/i);
    expect(changed.policy).not.toContain('Candidate: 8.10.0-1bookworm');
  });

  test('have a signature that dnf and zypper look for', async () => {
    await signed().add(rpm);

    const index = join(directory, 'packages', 'current', 'el-9-x86_64', 'repodata', 'repomd.xml');
    expect(spawnSync('gpg', ['--verify', `${index}.asc`, index]).status).toBe(0);
    expect(served('el-9-x86_64/repository-key.asc').toString('utf8')).toContain('BEGIN PGP PUBLIC KEY BLOCK');
  });

  test('keep no signatures of an earlier time', async () => {
    await signed().add(buildDeb('gzip'));
    await repository().add(buildDeb('gzip'));

    for (const name of ['InRelease', 'Release.gpg', 'repository-key.asc'])
      expect(existsSync(join(directory, 'packages', 'current', 'debian-12-amd64', name))).toBe(false);
  });

  test('are not made without the key', async () => {
    const other = new PackageRepository(
      join(directory, 'packages'),
      () => new Date(),
      gpgSigner('nobody@example.test'),
    );

    await expect(other.add(rpm)).rejects.toThrow(
      /Could not sign the repository with gpg: .*nobody@example\.test/,
    );
  });
});

test('Windows packages are served under the name that machines ask for', async () => {
  const path = join(directory, 'puppet-agent-8.10.0-x64.msi');
  writeFileSync(path, 'msi');

  const entry = await repository().add(path);

  expect(entry).toEqual({ platform: 'windows-x86_64', file: 'puppet-agent-x64.msi', bytes: 3 });
});

test('an invalid package is refused', async () => {
  const path = join(directory, 'notes.txt');
  writeFileSync(path, 'x');

  await expect(repository().add(path, 'el-9-x86_64')).rejects.toThrow('it is none of .deb, .rpm, .msi');
  await expect(repository().add(join(directory, 'a.el9.x86_64.rpm'))).rejects.toThrow('Could not read');
});

/** Elements in no order, without what differs each time: when the file was written. */
function elements(xml: string): readonly string[] {
  const flat = xml
    .replace(/>\s+</g, '><')
    .replaceAll('/>', '></>')
    .replaceAll('&quot;', '"')
    .replace(/ file="\d+"/, '');
  return flat
    .split('>')
    .map((part) => part.trim())
    .filter((part) => !/^<\/[^>]*$/.test(part))
    .sort();
}
