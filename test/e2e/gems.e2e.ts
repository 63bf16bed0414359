/** A module whose code in Ruby needs a gem, from nothing to catalogs on two compile servers. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForCatalog, fetchCatalog, notifications } from './support/catalog-request.ts';
import { run } from './support/joining.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';

const certname = 'web1.e2e.test';

/** A server of gems: `shouter`, which needs `volume`, in two versions. */
function makeIndex(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-gems-'));
  const gems = join(directory, 'gems');
  mkdirSync(gems);
  makeGem(gems, { name: 'volume', version: '1.0.0', code: "module Volume; UP = '!'; end\n" });
  for (const version of ['1.0.0', '1.1.0'])
    makeGem(gems, {
      name: 'shouter',
      version,
      code: `require 'volume'\nmodule Shouter; def self.shout(text) = "#{text.upcase} ${version}#{Volume::UP}"; end\n`,
      needs: 'volume',
    });
  execFileSync('gem', ['generate_index', '--quiet', '--directory', directory]);
  return directory;
}

interface GemParts {
  readonly name: string;
  readonly version: string;
  readonly code: string;
  readonly needs?: string;
}

function makeGem(directory: string, { code, name, needs, version }: GemParts): void {
  const source = mkdtempSync(join(tmpdir(), 'bunraku-gem-'));
  mkdirSync(join(source, 'lib'));
  writeFileSync(join(source, 'lib', `${name}.rb`), code);
  const lines = [
    `s.name = '${name}'; s.version = '${version}'; s.summary = 's'; s.authors = ['a']; s.license = 'MIT'`,
    `s.files = ['lib/${name}.rb']; s.homepage = 'https://example.com'`,
    ...(needs === undefined ? [] : [`s.add_dependency '${needs}', '~> 1.0'`]),
  ];
  writeFileSync(join(source, 'g.gemspec'), `Gem::Specification.new { |s| ${lines.join('; ')} }\n`);
  const output = join(directory, `${name}-${version}.gem`);
  execFileSync('gem', ['build', '--quiet', '--output', output, 'g.gemspec'], { cwd: source, stdio: 'pipe' });
  rmSync(source, { recursive: true });
}

scenarios('Gems of the installation', () => {
  const site = runningSite({ compileServers: 2 }, (prepared) =>
    prepared.stage({
      'manifests/site.pp': "notify { 'shouted': message => loud::shout('hello') }\n",
      'modules/loud/lib/puppet/functions/loud/shout.rb': `Puppet::Functions.create_function(:'loud::shout') do
        dispatch :shout do
          param 'String', :text
        end
        def shout(text)
          require 'shouter'
          Shouter.shout(text)
        end
      end\n`,
    }),
  );
  const index: { directory: string } = { directory: '' };
  beforeAll(() => {
    index.directory = makeIndex();
  });
  afterAll(() => rmSync(index.directory, { recursive: true, force: true }));

  const gem = (...words: readonly string[]) =>
    run(site(), ['gem', ...words, '--data', site().installation.primaryDirectory]);
  const source = () => ['--clear-sources', '--source', `file://${index.directory}/`];
  const servers = () => [0, 1].map((each) => site().installation.compileServerUrl(each));
  const shouted = async () => {
    const client = site().agent(certname).client();
    const catalogs = await Promise.all(servers().map((url) => fetchCatalog(client, url, certname)));
    return catalogs.map((catalog) => notifications(catalog)['shouted']);
  };

  test('are named, with the command that brings them, where one is missing', async () => {
    await site().agent(certname).run();
    const [server = ''] = servers();

    const { status, text } = await askForCatalog(site().agent(certname).client(), server, certname);

    expect(status).toBe(500);
    expect(text).toContain('cannot load such file -- shouter');
    expect(text).toContain("bunraku gem install shouter'");
  });

  test('are there on every server when the command has ended, with those that they need', async () => {
    const installed = await gem('install', 'shouter', '--version', '1.0.0', ...source());

    expect(installed.output).toContain('2 gems installed');
    expect(installed.output).toContain('live on 2 of 2 compile servers');
    expect(installed.exitCode).toBe(0);
    expect(await shouted()).toEqual(['HELLO 1.0.0!', 'HELLO 1.0.0!']);
    expect((await gem('list')).output).toMatch(/^shouter \(1\.0\.0\)$/m);
  });

  test('are updated and uninstalled without a restart', async () => {
    const updated = await gem('update', 'shouter', ...source());
    const afterUpdate = await shouted();
    const uninstalled = await gem('uninstall', 'shouter', '--all', '--executables');
    const [server = ''] = servers();
    const { status } = await askForCatalog(site().agent(certname).client(), server, certname);

    expect(updated.exitCode, updated.output).toBe(0);
    expect(afterUpdate).toEqual(['HELLO 1.1.0!', 'HELLO 1.1.0!']);
    expect(uninstalled.exitCode, uninstalled.output).toBe(0);
    expect(status).toBe(500);
  });

  test('that cannot be had are an error of the command, and nothing changes', async () => {
    const { exitCode, output } = await gem('install', 'nowhere', ...source());

    expect(exitCode).toBe(2);
    expect(output).toContain("Could not find a valid gem 'nowhere'");
    expect(output).not.toContain('committed');
  });
});
