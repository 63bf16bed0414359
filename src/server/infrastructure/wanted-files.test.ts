import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type WantedFilesOptions, wantedFiles } from './wanted-files.ts';

const base = mkdtempSync(join(tmpdir(), 'bunraku-wanted-'));
let directory = '';
let count = 0;

beforeEach(() => {
  directory = join(base, String((count += 1)));
});
afterAll(() => rmSync(base, { recursive: true }));

function at(name: string): string {
  return join(directory, name);
}

function file(name: string, content = ''): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return at(name);
}

function asked(
  settings: Partial<WantedFilesOptions['settings']>,
  environments: Readonly<Record<string, string>> = {},
) {
  const live = Object.entries(environments).map(([name, configVersionCommand]) => ({
    config: { name, directory: at(`code/environments/${name}`) },
    key: name,
    directory: at(`versions/${name}`),
    configVersionCommand,
  }));
  return wantedFiles({
    settings: {
      codeDir: at('code'),
      codeStagingDir: at('code-staging'),
      compileServerFiles: ['auto'],
      externalNodes: 'none',
      hieraConfig: at('hiera.yaml'),
      nodeTerminus: 'plain',
      trustedExternalCommand: '',
      ...settings,
    },
    ownDirectories: [at('ssl')],
    live: () => live as unknown as ReturnType<WantedFilesOptions['live']>,
  })();
}

test('with nothing that names a file there is none', async () => {
  expect(await asked({})).toEqual({ paths: [] });
});

test('what settings name is required', async () => {
  file('hiera.yaml', 'version: 5');
  const settings = {
    compileServerFiles: [at('listed/'), 'auto'],
    nodeTerminus: 'exec',
    externalNodes: `${at('enc')} --verbose`,
    trustedExternalCommand: at('trusted.d'),
  };

  expect(await asked(settings)).toEqual({
    paths: [
      { path: at('listed'), source: 'compile_server_files', isRequired: true },
      { path: at('hiera.yaml'), source: 'hiera_config', isRequired: true },
      { path: at('enc'), source: 'external_nodes', isRequired: true },
      { path: at('trusted.d'), source: 'trusted_external_command', isRequired: true },
    ],
    hieraConfig: at('hiera.yaml'),
  });
  const { paths } = await asked({ ...settings, nodeTerminus: 'classifier' });
  expect(paths.map(({ source }) => source)).not.toContain('external_nodes');
});

test('without auto only what is listed travels', async () => {
  file('hiera.yaml', `defaults: {options: {pkcs7_private_key: ${file('key')}}}`);

  expect(await asked({ compileServerFiles: [at('listed')], trustedExternalCommand: '/x' })).toEqual({
    paths: [{ path: at('listed'), source: 'compile_server_files', isRequired: true }],
    hieraConfig: at('hiera.yaml'),
  });
});

test('files that a hiera.yaml names are found; keys of eyaml also where they are missing', async () => {
  file('gnupg/pubring.kbx');
  mkdirSync(at('directory'));
  const options = {
    pkcs7_private_key: at('absent.pem'),
    gpg_gnupghome: at('gnupg'),
    ssl_ca_cert: file('ca.pem'),
    own: file('ssl/certs/ca.pem'),
    some_directory: at('directory'),
    address: '/v1/secret',
  };
  file('versions/production/hiera.yaml', `hierarchy: [{options: ${JSON.stringify(options)}}]`);
  file('hiera.yaml', `hierarchy: [{options: {ssl_ca_cert: ${at('ca.pem')}}}]`);

  const { paths } = await asked({}, { production: '', absent: '' });

  expect(paths).toEqual([
    { path: at('hiera.yaml'), source: 'hiera_config', isRequired: true },
    { path: at('ca.pem'), source: `ssl_ca_cert in ${at('hiera.yaml')}`, isRequired: false },
    { path: at('absent.pem'), source: 'pkcs7_private_key in hiera.yaml of production', isRequired: false },
    { path: at('gnupg'), source: 'gpg_gnupghome in hiera.yaml of production', isRequired: false },
  ]);
});

test('programs of config versions are found where they are not part of the code', async () => {
  const outside = file('bin/version.sh');

  const { paths } = await asked(
    {},
    {
      production: `${outside} /etc`,
      inside: at('code/environments/inside/scripts/version.sh'),
      relative: 'git rev-parse HEAD',
    },
  );

  expect(paths).toEqual([{ path: outside, source: 'config_version of production', isRequired: false }]);
});

test('what is staged travels with the code, and other files beside environments do not', async () => {
  file('code-staging/keys/staged.pem');
  file('code/keys/staged.pem');
  const alone = file('code/keys/alone.pem');
  const options = { a: at('code/keys/staged.pem'), b: alone, c: at('code/environments/production/key.pem') };
  file('versions/production/hiera.yaml', `defaults: {options: ${JSON.stringify(options)}}`);

  const { paths } = await asked({}, { production: '' });

  expect(paths.map(({ path }) => path)).toEqual([alone]);
});

test('a path that many environments name is one path, and is a key when one of them uses it as one', async () => {
  file('versions/one/hiera.yaml', `defaults: {options: {some_file: ${at('absent.pem')}}}`);
  file('versions/two/hiera.yaml', `defaults: {options: {pkcs7_public_key: ${at('absent.pem')}}}`);

  const { paths } = await asked({}, { one: '', two: '' });

  expect(paths).toEqual([
    { path: at('absent.pem'), source: 'some_file in hiera.yaml of one', isRequired: false },
  ]);
});
