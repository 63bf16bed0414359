import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isPresent, puppetAgent } from '../../scripts/debian-packages.ts';
import { defaultLanguageSettings, Environment, ParseCache } from '../../src/language/environment/index.ts';
import type { Logger } from '../../src/platform/log/index.ts';
import { EnvironmentRegistry } from '../../src/services/environments/index.ts';
import { DiskFileTree } from '../support/disk-file-tree.ts';

/** What an environment has, below its directory; `environment.conf` is its key alone. */
type Files = Readonly<Record<string, string>>;

const metadata = (changes: object): string =>
  JSON.stringify({
    name: 'a-m',
    source: 's',
    author: 'a',
    version: '1.0.0',
    license: 'x',
    dependencies: [],
    ...changes,
  });
const conf = (text: string): Files => ({ 'environment.conf': text });
const moduleWith = (text: string): Files => ({ 'modules/m/metadata.json': text, 'modules/n/x': '' });

const environments: Readonly<Record<string, Files>> = {
  empty: {},
  blank: conf('\n# nothing\n'),
  paths: conf('modulepath = site:modules:$basemodulepath:/abs:more/*:../up\nmanifest = site.pp\n'),
  quoted: conf('modulepath = "site:modules"\nmanifest = \'manifests\'\nenvironment_timeout = "3m"\n'),
  half: conf('modulepath = "site\nmanifest = m\'\n'),
  twice: conf('manifest = a\nmanifest = b\n'),
  timeout: conf('environment_timeout = 5d\n'),
  unlimited: conf('environment_timeout = unlimited\n'),
  unending: conf('environment_timeout = soon\n'),
  flags: conf('static_catalogs = false\nrich_data = FALSE\n'),
  others: conf('static_catalogs = no\nrich_data = true\n'),
  sections: conf('[main]\nmanifest = x\n[other]\nmanifest = y\n[third]\n'),
  unknown: conf('color = red\nmanifest = x\ntrusted = 1\n'),
  provider: conf('environment_data_provider = hiera\n'),
  version: {
    ...conf('config_version = bin/version one two\n'),
    'bin/version': '#!/bin/sh\necho "it is $1 $2"\necho told >&2\n',
  },
  shell: conf("config_version = /bin/echo 'a  b' $(echo c) | tr a-z A-Z\n"),
  failing: conf('config_version = /bin/false\n'),
  told: { ...conf('config_version = bin/version\n'), 'bin/version': '#!/bin/sh\necho why\nexit 3\n' },
  whole: moduleWith(metadata({})),
  sourceless: moduleWith(metadata({ source: undefined })),
  nullauthor: moduleWith(metadata({ author: null })),
  unversioned: moduleWith(metadata({ version: undefined })),
  unlicensed: moduleWith(metadata({ license: undefined })),
  independent: moduleWith(metadata({ dependencies: undefined })),
  textual: moduleWith(metadata({ dependencies: 'b' })),
  hashed: moduleWith(metadata({ dependencies: { a: [1, null, 'x'] } })),
  nameless: moduleWith(metadata({ name: undefined })),
  nothing: moduleWith('{}'),
  hidden: {
    ...conf('modulepath = one:two\n'),
    'one/m/metadata.json': '{"name": "a-m"}',
    'two/m/x': '',
  },
  names: { 'modules/Big/x': '', 'modules/a-b/x': '', 'modules/1a/x': '', 'modules/ok_1/x': '' },
};

const hasPuppet = isPresent(puppetAgent);
const root = mkdtempSync(path.join(tmpdir(), 'bunraku-environments-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!hasPuppet)(
  'environments are what Puppet makes of them (skipped where it is missing)',
  () => {
    for (const [name, files] of Object.entries(environments)) write(name, files);
    const theirs = hasPuppet ? askPuppet() : {};

    test.each(Object.keys(environments))('%s', async (name) => {
      const { served, ...compiled } = await ours(name);

      expect(compiled).toEqual(theirs[name]);
      // The file server has the same modules as the compiler.
      expect(served).toEqual(compiled.modules);
    });
  },
);

function write(name: string, files: Files): void {
  const directory = path.join(root, 'environments', name);
  mkdirSync(path.join(directory, 'more', 'one'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    const absolute = path.join(directory, file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
    if (text.startsWith('#!')) chmodSync(absolute, 0o755);
  }
}

function askPuppet(): Readonly<Record<string, unknown>> {
  const { stdout, stderr, status } = spawnSync(
    'ruby',
    [path.join(import.meta.dirname, 'ask-puppet.rb'), root],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

async function ours(name: string) {
  const logs: [string, string][] = [];
  const log = {
    warn: ({ reason }: { reason?: string }) => logs.push(['warning', reason ?? '']),
    error: ({ reason }: { reason?: string }) => reason !== undefined && logs.push(['err', reason]),
  } as unknown as Logger;
  const registry = new EnvironmentRegistry({
    environmentPath: path.join(root, 'environments'),
    defaults: {
      basemodulepath: [path.join(root, 'base')],
      defaultManifest: './manifests',
      disablePerEnvironmentManifest: false,
      variables: {},
    },
    staticCatalogs: true,
    language: () => defaultLanguageSettings,
    log,
    now: () => 0,
  });
  const directory = path.join(root, 'environments', name);
  const served = await registry.load({ environment: name, codeId: null, directory });
  const { config } = served;
  const environment = new Environment(config, new DiskFileTree(), new ParseCache());
  const modules = [...environment.modules.keys()].toSorted();
  for (const warning of environment.takeWarnings()) {
    if (warning.kind === 'module')
      logs.push([warning.severity === 'error' ? 'err' : 'warning', warning.message]);
  }
  const failed = /^.*?returned \d+/s.exec(config.configVersionProblem ?? '')?.[0];
  return {
    modulepath: config.modulepath,
    manifest: config.manifest,
    config_version: served.configVersionCommand,
    timeout: served.environmentTimeout,
    static_catalogs: served.hasStaticCatalogs,
    rich_data: config.settings.richData,
    modules,
    served: served.modules.map((module) => module.name).toSorted(),
    version:
      failed === undefined
        ? config.configVersion === 0
          ? 'time'
          : config.configVersion
        : `failed: ${failed}`,
    logs,
  };
}
