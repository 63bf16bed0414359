/** `$settings::NAME` beside the real Puppet: the same puppet.conf and environment.conf, every name and every value. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isPresent, puppetAgent } from '../../../scripts/debian-packages.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { loadSettings, parseFlags } from '../../platform/settings/index.ts';
import { EnvironmentRegistry } from '../../services/environments/index.ts';
import { environmentDefaults, languageSettings } from './language-settings.ts';

const hasPuppet = isPresent(puppetAgent);

/** Prints what `Puppet::Parser::Scope#merge_settings` gives a compile of a server. */
const script = String.raw`
require 'puppet'; require 'json'
Puppet.settings.preferred_run_mode = :server
Puppet.send(:do_initialize_settings_for_run_mode, :server, ARGV, true, true, {})
environments = Puppet::Environments::Directories.new(Puppet[:environmentpath].split(':')[0], Puppet[:basemodulepath].split(':'))
Puppet.override(environments: environments) do
  compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('a', environment: environments.get('production')))
  values = compiler.topscope.tap { |scope| scope.merge_settings(:production, false) } && compiler.qualified_variables['settings::all_local']
  puts JSON.dump(values.transform_values { |value| value == Float::INFINITY ? 'Infinity' : value })
end
`;

/** What Debian's Puppet has in other places than the reference, and what a server of ours has otherwise on purpose. */
const ours = new Set(['http_user_agent', 'srv_domain']);

function write(directory: string, name: string, text: string): void {
  const file = join(directory, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

/** Everything that the packages of a distribution set in their own way. */
function placesIn(directory: string): readonly string[] {
  const places: Readonly<Record<string, string>> = {
    confdir: 'conf',
    codedir: 'code',
    vardir: 'var',
    logdir: 'log',
    rundir: 'run',
    publicdir: 'public',
  };
  const flags = Object.entries(places).map(([name, place]) => `--${name}=${join(directory, place)}`);
  return [...flags, '--certname=primary.example.net'];
}

const everywhere = (directory: string) => `
[main]
ssldir = $confdir/ssl
cadir = ${directory}/ca
basemodulepath = $codedir/modules
vendormoduledir = ${directory}/vendor
server = puppet.example.net
reports = store
storeconfigs = false
node_terminus = plain
`;

async function settingsHere(directory: string): Promise<Readonly<Record<string, unknown>>> {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };
  // Flags that are no settings of ours stand in puppet.conf for both.
  const flags = placesIn(directory).filter((flag) =>
    /^--(confdir|codedir|vardir|logdir|certname)/.test(flag),
  );
  const { settings } = loadSettings({
    flags: parseFlags([
      ...flags,
      '--language-level=7',
      `--puppet-conf=${join(directory, 'conf/puppet.conf')}`,
    ]).values,
    environment: {},
    hostname: 'primary.example.net',
    readFile: read,
  });
  const registry = new EnvironmentRegistry({
    environmentPath: join(directory, 'code/environments'),
    codeDirectory: join(directory, 'code'),
    defaults: environmentDefaults(settings),
    globalHieraConfig: settings.hieraConfig,
    staticCatalogs: settings.staticCatalogs,
    language: (level) => languageSettings(settings, level),
    log: silentLogger,
    now: Date.now,
  });
  const loaded = await registry.load({
    environment: 'production',
    codeId: null,
    directory: join(directory, 'code/environments/production'),
  });
  return loaded.config.settings.visible;
}

function settingsThere(directory: string): Readonly<Record<string, unknown>> {
  const output = execFileSync('ruby', ['-e', script, '--', ...placesIn(directory)], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

const comparable = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !ours.has(name))
      .map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 'Infinity' : value])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

test.skipIf(!hasPuppet).each([
  ['nothing else', '', ''],
  [
    'values of many kinds, in the sections of a server',
    `[main]
digest_algorithm = sha512
statedir = $vardir/elsewhere
runinterval = 2h
http_connect_timeout = 30
disable_warnings = deprecations, undefined_variables
noop = true
lastrunfile = $statedir/summary.yaml
tags = a, b
ca_port = 8141
[server]
serverport = 8150
strict_variables = true
environment_timeout = unlimited
autosign = true
[agent]
runinterval = 5m
noop = false
[master]
keylength = 2048
`,
    '',
  ],
  [
    'an environment.conf',
    'environment_timeout = 3m\n',
    'modulepath = site:modules:$basemodulepath\nmanifest = site.pp\nenvironment_timeout = 10\nrich_data = false\nstatic_catalogs = false\nconfig_version = /bin/true\n',
  ],
])(
  'every setting has the value of the real Puppet, with %s (skipped without it)',
  async (_, conf, environment) => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'visible-settings-')));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const more = `${everywhere(directory)}rundir = ${directory}/run\npublicdir = ${directory}/public\n${conf}`;
    write(directory, 'conf/puppet.conf', more);
    write(directory, 'code/environments/production/manifests/site.pp', '');
    write(directory, 'code/environments/production/environment.conf', environment);
    mkdirSync(join(directory, 'code/modules'));

    const here = comparable(await settingsHere(directory));
    const there = comparable(settingsThere(directory));

    expect(Object.keys(here)).toEqual(Object.keys(there));
    expect(here).toEqual(there);
  },
);
