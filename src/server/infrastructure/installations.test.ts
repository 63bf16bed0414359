import { expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { Installations, type InstallationsOptions } from './installations.ts';

const sha256 = 'a'.repeat(64);
const pinned = 'pinned.test';
const settings: InstallationsOptions['settings'] = {
  certname: 'primary.test',
  compileMasterPoolAddress: 'pool.test',
  compileServerRoles: [],
  compileServers: [],
  externalNodes: 'none',
  level: 8,
  nodeTerminus: 'classifier',
  trustedExternalCommand: '',
};

function opened(changes: Partial<InstallationsOptions> = {}): Installations {
  return new Installations({
    settings,
    groups: { proves: ({ certname }) => certname === pinned },
    port: () => 8140,
    archive: { describe: async () => ({ sha256, platform: 'linux-x64' }) },
    isKnown: async () => false,
    log: silentLogger,
    ...changes,
  });
}

const node = (certname: string, extensions: Readonly<Record<string, string>> = {}) => ({
  certname,
  extensions,
  isInstalled: false,
});

test('a node with rights gets the program of the primary, its digest, and the settings that servers share', async () => {
  expect(await opened().find(node(pinned))).toEqual({
    ensure: 'present',
    primary: 'primary.test:8140',
    program_path: `/infrastructure/v1/program/${sha256}.tar.gz`,
    program_sha256: sha256,
    program_platform: 'linux-x64',
    shared_settings: {
      compile_master_pool_address: 'pool.test',
      language_level: '8',
      node_terminus: 'classifier',
    },
  });
});

test('a node whose groups do not prove that it is a server gets nothing but the reason', async () => {
  const asked: string[] = [];
  const archive = { describe: () => Promise.reject(new Error(asked.push('archive').toString())) };
  const found = await opened({ archive }).find(node('other.test', { pp_role: 'pool' }));

  expect(found).toEqual({ ensure: 'absent', problem: expect.stringContaining('which give no rights') });
  expect(asked).toEqual([]);
});

test('the role of compile servers in its certificate, and settings, are rights as well', async () => {
  const named = { ...settings, compileServers: ['Named.test'], compileServerRoles: ['pool'] };
  const installations = opened({ settings: named });
  const present = expect.objectContaining({ ensure: 'present' });

  expect(await installations.find(node('other.test', { pp_auth_role: 'pe_compiler' }))).toEqual(present);
  expect(await installations.find(node('named.test'))).toEqual(present);
  expect(await installations.find(node('other.test', { pp_role: 'pool' }))).toEqual(present);
});

test('nothing is managed on the primary, although it belongs to the groups of servers', async () => {
  const groups = { proves: () => true };

  expect(await opened({ groups }).find(node('primary.test'))).toBeUndefined();
});

test('servers that people installed are not managed; those of Puppet runs are, until their rights end', async () => {
  const installations = opened({ isKnown: async () => true });

  expect(await installations.find(node(pinned))).toBeUndefined();
  expect(await installations.find({ ...node(pinned), isInstalled: true })).toMatchObject({
    ensure: 'present',
  });
  expect(await installations.find({ ...node('other.test'), isInstalled: true })).toMatchObject({
    ensure: 'absent',
  });
});

test('without an archive nothing is installed or removed, and the node is told why', async () => {
  const fromSources = opened({ archive: { describe: async () => undefined } });
  const full = opened({ archive: { describe: () => Promise.reject(new Error('ENOSPC')) } });

  expect(await fromSources.find(node(pinned))).toEqual({
    problem: expect.stringContaining('runs from its sources'),
  });
  expect(await full.find(node(pinned))).toEqual({
    problem: expect.stringContaining('could not make the archive'),
  });
});
