/** The same sources deployed by the real r10k and by us: the same trees. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickRuby } from '../support/quick-ruby.ts';
import { LocalForge } from './local-forge.ts';
import { type Files, TestRepository } from './repositories.ts';
import { type TestManager, testManager } from './test-manager.ts';
import { treeOf } from './tree.ts';

const hasR10k = spawnSync('r10k', ['version']).status === 0;
if (!hasR10k) console.warn('SKIPPED: comparison with r10k, because there is no r10k on this machine');

const module: Files = {
  'metadata.json': '{"name":"x-y","version":"0.1.0"}',
  'manifests/init.pp': 'class x {}\n',
  'files/run.sh': { script: '#!/bin/sh\n' },
  'files/link': { link: 'run.sh' },
  'spec/classes/x_spec.rb': '# spec\n',
  'text.txt': 'one\ntwo\n',
};

/** What r10k's own reader says of the Puppetfiles in some directories: one Ruby for all of them. */
function complaintsOfR10k(directories: readonly string[]): readonly string[] {
  const program = `
    require 'json'
    require 'r10k/initializers'
    require 'r10k/puppetfile'
    R10K::Git::Cache.settings[:cache_root] = ARGV.shift
    puts JSON.generate(ARGV.map { |dir|
      begin
        loaded = R10K::ModuleLoader::Puppetfile.new(basedir: dir).load!
        loaded[:modules].each { |mod| mod.version if mod.is_a?(R10K::Module::Git) }
        'nothing'
      rescue => error
        [error.message, error.respond_to?(:original) && error.original ? error.original.message : nil].compact.join("\\n")
      end
    })`;
  const cache = mkdtempSync(join(tmpdir(), 'bunraku-r10k-cache-'));
  try {
    const { stdout } = spawnSync('ruby', ['-e', program, '--', cache, ...directories], { encoding: 'utf8' });
    return JSON.parse(stdout) as string[];
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

describe.skipIf(!hasR10k)('Deployed by r10k and by us', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-r10k-'));
  const forge = new LocalForge(join(directory, 'forge'));
  const repositories = new Map<string, TestRepository>();
  const remote = (name: string) => {
    const known = repositories.get(name) ?? new TestRepository(join(directory, 'git', name));
    repositories.set(name, known);
    return known;
  };
  let forgeUrl = '';
  let ours: TestManager;
  let commit = '';

  /** One configuration for both: where the environments go is all that differs. */
  const configuration = (basedir: string, cachedir: string, more = '') => `---
cachedir: ${cachedir}
forge:
  baseurl: ${forgeUrl}
sources:
  main:
    remote: ${remote('control').directory}
    basedir: ${basedir}
    ignore_branch_prefixes: ['wip']
${more.replaceAll('BASEDIR', basedir)}`;

  const runR10k = async (text: string, ...args: readonly string[]) => {
    const file = join(mkdtempSync(join(directory, 'configuration-')), 'r10k.yaml');
    writeFileSync(file, text);
    const child = spawn('r10k', ['deploy', 'environment', ...args, '--config', file], {
      env: { ...process.env, ...quickRuby(), HOME: directory, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output };
  };

  const theirs = join(directory, 'theirs');
  const both = async (more = '') => {
    const { code, output } = await runR10k(configuration(theirs, join(directory, 'r10k-cache'), more), '-m');
    ours = await testManager(
      join(directory, 'ours'),
      configuration('/etc/puppetlabs/code/environments', join(directory, 'our-cache'), more),
    );
    const names = (await ours.manager.list(new AbortController().signal)).environments.map(
      ({ name }) => name,
    );
    const outcome = await ours.deploy(...names);
    return {
      code,
      output,
      outcome,
      ours: treeOf(join(ours.staging, 'environments')),
      theirs: treeOf(theirs),
    };
  };

  beforeAll(async () => {
    mkdirSync(theirs, { recursive: true });
    forgeUrl = await forge.start();
    forge.release('acme-stdlib', '1.0.0', {
      'lib/a.rb': 'a',
      'spec/a_spec.rb': 'b',
      'manifests/init.pp': '',
    });
    forge.release('acme-stdlib', '1.1.0', { 'lib/b.rb': 'b' });
    forge.release('acme-ntp', '2.0.0', { 'manifests/init.pp': 'class ntp {}', 'README.md': 'ntp' });
    for (const name of ['apache', 'byref', 'pinned', 'tagged', 'linked', 'elsewhere', 'nospec']) {
      remote(name).commit('master', module);
      remote(name).commit('production', { 'branch.txt': 'production' });
    }
    remote('apache').commit('feature', { 'feature.txt': 'new' });
    commit = remote('pinned').commit('master', { 'pinned.txt': 'this one' });
    remote('pinned').commit('master', { 'pinned.txt': 'too new', 'later.txt': '' });
    remote('tagged').tag('v1.0.0');
    remote('tagged').commit('master', { 'after.txt': 'after the tag' });
    remote('control').commit('production', {
      'environment.conf': 'modulepath = site-modules:modules:$basemodulepath\n',
      '.gitattributes': '*.crlf text eol=crlf\n',
      'windows.crlf': 'a\nb\n',
      'manifests/site.pp': 'node default {}\n',
      'site-modules/role/manifests/init.pp': 'class role {}\n',
      'modules/inhouse/manifests/init.pp': 'class inhouse {}\n',
      'modules/tracked/manifests/init.pp': 'class tracked {}\n',
      'data/link': { link: '../manifests/site.pp' },
      'scripts/version.sh': { script: '#!/bin/sh\n' },
      Puppetfile: puppetfile(),
    });
    remote('control').commit('feature/new-thing', { 'manifests/site.pp': 'notice("feature")\n' });
    remote('control').commit('wip_nothing', {});
  });

  afterAll(() => {
    forge.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function puppetfile(): string {
    const url = (name: string) => `'${remote(name).directory}'`;
    return `forge '${forgeUrl}'
moduledir 'modules'
base = '${join(directory, 'git')}'

mod 'acme/stdlib', '1.0.0'
mod 'acme-ntp', :latest
mod 'inhouse', :local => true
mod 'apache',
  :git    => "#{base}/apache",
  :branch => :control_branch,
  :default_branch => 'master'
mod 'byref', git: ${url('byref')}, ref: 'production'
mod 'x/pinned', :git => ${url('pinned')}, :commit => '${commit}'
mod 'tagged', :git => ${url('tagged')}, :tag => 'v1.0.0'
mod 'fallback', git: ${url('linked')}, branch: 'no_such_branch', default_branch: 'production'
mod 'elsewhere', :git => ${url('elsewhere')}, :install_path => 'external'
mod 'nospec', :git => ${url('nospec')}, :exclude_spec => true
mod 'default', :git => ${url('linked')}
`;
  }

  test('a first deploy gives the same trees', async () => {
    const result = await both();

    expect(result.code, result.output).toBe(0);
    expect(result.outcome).toEqual({ production: 'complete', feature_new_thing: 'complete' });
    expect(result.ours).toEqual(result.theirs);
    expect(Object.keys(result.ours).length).toBeGreaterThan(100);
  });

  test('a second deploy that changes nothing asks for no archive and leaves everything as it is', async () => {
    const before = treeOf(join(ours.staging, 'environments'));
    forge.requests.length = 0;

    const result = await both();

    expect(result.ours).toEqual(before);
    expect(forge.requests.filter((path) => path.includes('/files/'))).toEqual([]);
  });

  test('changes, local damage and unmanaged modules end the same', async () => {
    remote('apache').commit('master', { 'manifests/init.pp': 'class apache {}\n', 'text.txt': null });
    remote('byref').commit('production', { 'branch.txt': 'changed' });
    forge.release('acme-ntp', '2.1.0', { 'manifests/init.pp': 'class ntp { }' });
    remote('control').commit('production', { 'data/common.yaml': '---\n', 'scripts/version.sh': null });
    for (const root of [theirs, join(ours.staging, 'environments')]) {
      writeFileSync(join(root, 'production/manifests/site.pp'), 'broken by hand');
      writeFileSync(join(root, 'production/modules/apache/text.txt'), 'broken by hand');
      rmSync(join(root, 'production/modules/tagged/files'), { recursive: true });
      writeFileSync(join(root, 'production/untracked.txt'), 'stays');
      writeFileSync(join(root, 'production/modules/byref/untracked.txt'), 'stays');
      mkdirSync(join(root, 'production/modules/unmanaged'));
      mkdirSync(join(root, 'stale'));
    }

    const result = await both();

    expect(result.code, result.output).toBe(0);
    expect(result.ours).toEqual(result.theirs);
    expect(result.ours['production/modules/unmanaged']).toBeUndefined();
    expect(result.ours['stale']).toBeUndefined();
    expect(result.ours['production/untracked.txt']).toBeDefined();
  });

  test('purging within environments ends the same', async () => {
    for (const root of [theirs, join(ours.staging, 'environments')]) {
      mkdirSync(join(root, 'production/junk/deep'), { recursive: true });
      mkdirSync(join(root, 'production/data/kept'), { recursive: true });
      for (const name of ['junk/deep/a', 'data/junk.txt', 'data/custom.json', 'custom.json', '.hidden'])
        writeFileSync(join(root, 'production', name), '');
    }
    const result = await both(
      "deploy:\n  purge_levels: ['deployment', 'environment', 'puppetfile']\n  purge_allowlist: ['custom.json', '**/kept']\n",
    );

    expect(result.ours).toEqual(result.theirs);
    expect(result.ours['production/junk']).toBeUndefined();
    expect(result.ours['production/custom.json']).toBeDefined();
    expect(result.ours['production/data/custom.json']).toBeUndefined();
  });

  test('a Puppetfile that names a module differently ends the same', async () => {
    remote('control').commit('production', {
      Puppetfile: `mod 'acme-apache', '1.0.0'\nmod 'stdlib', git: '${remote('byref').directory}', ref: 'v9', default_branch: 'master'\n`,
      'modules/tracked': null,
    });
    forge.release('acme-apache', '1.0.0', { 'manifests/init.pp': 'class apache {}' });

    const result = await both();

    expect(result.code, result.output).toBe(0);
    expect(result.ours).toEqual(result.theirs);
  });

  test('several sources with prefixes end the same', async () => {
    remote('data').commit('production', { 'common.yaml': '---\n' });
    remote('data').commit('env/qa', { 'common.yaml': '--- {}\n' });

    const result = await both(
      `  data:\n    remote: ${remote('data').directory}\n    basedir: BASEDIR\n    prefix: true\n    strip_component: 'env/'\n`,
    );

    expect(result.code, result.output).toBe(0);
    expect(result.outcome).toMatchObject({ data_production: 'complete', data_qa: 'complete' });
    expect(result.ours).toEqual(result.theirs);
  });

  test('mistakes are told in the same words', async () => {
    const mistakes = {
      "mod 'no owner', '1.0.0'": 'must match',
      "mod 'stdlib', '1.0.0'": "Forge module names must match 'owner/modulename', instead got stdlib",
      "mod 'a/stdlib', '1'": 'Module version 1 is not a valid Forge module version',
      "mod 'a/b', :latest\nmod 'x/b', :latest": 'Remove the duplicates of the following modules: b',
      "modul 'a'": "unrecognized declaration 'modul'",
      [`mod 'a', :git => '${remote('byref').directory}', :branch => 'nothing'`]:
        "Unable to manage Puppetfile content 'a': Could not resolve desired ref 'nothing' and no default provided",
      [`mod 'a', :git => '${remote('byref').directory}', :install_path => '../../x'`]:
        "Puppetfile cannot manage content 'a' outside of containing environment",
      "mod 'a', :foo => 'bar'": `Module a with args {`,
    };
    const texts = Object.keys(mistakes);
    const own = new TestRepository(join(directory, 'mistakes', 'control'));
    for (const [index, text] of texts.entries()) own.commit(`mistake${index}`, { Puppetfile: `${text}\n` });
    const sources = `---\nsources:\n  main:\n    remote: ${own.directory}\n`;
    const manager = await testManager(join(directory, 'mistakes'), sources);

    const outcome = await manager.deploy(...texts.map((_, index) => `mistake${index}`));
    const real = complaintsOfR10k(texts.map((_, index) => manager.staged(`mistake${index}`)));

    for (const [index, [text, wanted]] of Object.entries(mistakes).entries()) {
      expect(real[index], text).toContain(wanted);
      expect(outcome[`mistake${index}`], text).toContain(wanted);
    }
  });

  test('says in .r10k-deploy.json what r10k says', () => {
    const file = readFileSync(join(theirs, 'feature_new_thing', '.r10k-deploy.json'), 'utf8');
    const own = readFileSync(join(ours.staged('feature_new_thing'), '.r10k-deploy.json'), 'utf8');

    const time = /"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}"/g;
    expect(own.replaceAll(time, 'TIME')).toBe(file.replaceAll(time, 'TIME'));
    expect(existsSync(join(ours.staged('feature_new_thing'), '.git'))).toBe(false);
  });
});
