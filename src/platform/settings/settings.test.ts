import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  encodeStartedWith,
  type LoadedSettings,
  loadSettings,
  parseFlags,
  processSources,
  renderSettingsReference,
  SettingsError,
  startedWithFile,
} from './index.ts';

interface Given {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly isForRunningServer?: boolean;
}

const ownFile = '/etc/puppetlabs/bunraku/bunraku.conf';
const puppetConf = '/etc/puppetlabs/puppet/puppet.conf';

function load({ flags = [], env = {}, files = {}, isForRunningServer = false }: Given): LoadedSettings {
  return loadSettings({
    isForRunningServer,
    flags: parseFlags(flags).values,
    environment: env,
    hostname: 'primary.example.net',
    readFile: (path) => files[path],
  });
}

describe('loadSettings', () => {
  test('has defaults for everything', () => {
    const { settings, warnings, origins } = load({});

    expect(settings).toMatchObject({
      certname: 'primary.example.net',
      serverPort: 8140,
      hostCert: '/etc/puppetlabs/puppet/ssl/certs/primary.example.net.pem',
      environmentPath: ['/etc/puppetlabs/code/environments'],
      caTtlSeconds: 5 * 365 * 86_400,
      autosign: '/etc/puppetlabs/puppet/autosign.conf',
      reports: ['puppetdb'],
      strict: undefined,
      level: 8,
      maxBodyBytes: 32 * 1024 * 1024,
      environmentTimeoutSeconds: 0,
    });
    expect(warnings).toEqual([]);
    expect(origins.caTtlSeconds).toBe('default');
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test('keeps the language level of an installation that has run before', () => {
    const levelOf = (given: Given) => load({ ...given, flags: ['--data', '/d', ...(given.flags ?? [])] });
    const startedWith = { '/d/state/started-with.json': '{}' };
    const noted = { ...startedWith, '/d/state/language-level': '9\n' };

    expect(levelOf({}).settings.level).toBe(8);
    expect(levelOf({ files: startedWith }).settings.level).toBe(7);
    expect(levelOf({ files: noted }).settings.level).toBe(9);
    expect(levelOf({ files: noted, flags: ['--language-level', '8'] }).settings.level).toBe(8);
    expect(() => levelOf({ flags: ['--language-level', '6'] })).toThrow(
      "Invalid value '6' for parameter language_level. Allowed values are 'auto', '7', '8', '9'",
    );
  });

  test('shows the settings of Puppet at each language level', () => {
    const { puppetValues } = load({ files: { [puppetConf]: '[main]\nstrict = off\n' } }).settings;

    expect([7, 8, 9].map((level) => puppetValues[level as 7 | 8 | 9]['strict_variables'])).toEqual([
      false,
      true,
      true,
    ]);
    expect(puppetValues[8]['strict']).toBe('off');
    expect(puppetValues[8]['pluginsync']).toBe(true);
    expect(puppetValues[9]).not.toHaveProperty('pluginsync');
  });

  test('takes for commands what the server of a directory was started with', () => {
    const start = load({
      flags: ['--data', '/srv/b', '--certname', 'p.example.net', '--serverport', '0'],
      env: { BUNRAKU_CA_TTL: '4y' },
    });
    const file = startedWithFile(start.settings.stateDir);
    const files = { [file]: encodeStartedWith(start.given, 45_000) };
    const command = (isForRunningServer: boolean, ...flags: readonly string[]) =>
      load({ flags: ['--data', '/srv/b', ...flags], files, isForRunningServer });

    const found = command(true);
    const overridden = command(true, '--certname', 'other.example.net');
    const server = command(false);

    expect(file).toBe('/srv/b/state/started-with.json');
    expect(found.settings).toMatchObject({ certname: 'p.example.net', serverPort: 45_000 });
    expect(found.origins).toMatchObject({ certname: file, caTtlSeconds: file });
    expect(overridden.settings).toMatchObject({ certname: 'other.example.net', serverPort: 45_000 });
    expect(server.settings.certname).toBe('primary.example.net');
  });

  test('leaves a damaged record of a start aside', () => {
    const files = { '/srv/b/state/started-with.json': '{"certname": ' };

    const { settings } = load({ flags: ['--data', '/srv/b'], files, isForRunningServer: true });

    expect(settings.certname).toBe('primary.example.net');
  });

  test('takes flags before environment, own file, puppet.conf and default', () => {
    const files = {
      [ownFile]: 'ca-ttl = 3y\nca_name = own\nlog-level = debug',
      [puppetConf]: '[main]\nca_ttl = 2y\nca_name = puppet\nkeylength = 2048\nstrict = error',
    };

    const { settings, origins } = load({
      flags: ['--ca-ttl', '5m'],
      env: { BUNRAKU_CA_TTL: '4y', BUNRAKU_LOG_LEVEL: 'warn' },
      files,
    });

    expect(settings).toMatchObject({
      caTtlSeconds: 300,
      logLevel: 'warn',
      caName: 'own',
      keyLength: 2048,
      strict: 'error',
    });
    expect(origins).toMatchObject({
      caTtlSeconds: '--ca-ttl',
      logLevel: 'BUNRAKU_LOG_LEVEL',
      caName: `${ownFile}:2`,
      keyLength: `${puppetConf}:4`,
    });
  });

  test('reads the sections of puppet.conf that are for servers, the newest name last', () => {
    const files = {
      [puppetConf]: `
certname = A.example.net
[agent]
certname = agent-only
[server]
reports = http, log
[master]
reports = none
dns_alt_names = puppet,puppet.example.net
masterport = 8141
[user]
strict = error
`,
    };

    const { settings } = load({ files });

    expect(settings).toMatchObject({
      certname: 'A.example.net',
      reports: ['http', 'log'],
      dnsAltNames: ['puppet', 'puppet.example.net'],
      serverPort: 8141,
      strict: undefined,
    });
  });

  test('follows references in values, and leaves $environment alone', () => {
    const files = {
      [puppetConf]: [
        '[main]',
        'vardir = /v',
        'ssldir = ${vardir}/ssl {owner = root, mode = 0771}',
        'basemodulepath = $codedir/a:/b',
        'hiera_config = $codedir/$environment/hiera.yaml',
      ].join('\n'),
    };

    const { settings } = load({ files });

    expect(settings.sslDir).toBe('/v/ssl');
    expect(settings.hostCrl).toBe('/v/ssl/crl.pem');
    expect(settings.baseModulePath).toEqual(['/etc/puppetlabs/code/a', '/b']);
    expect(settings.hieraConfig).toBe('/etc/puppetlabs/code/$environment/hiera.yaml');
  });

  test.each([
    ['[main]\nserver = p.example.net\n[master]\nca = false\n', 'p.example.net'],
    [
      '[main]\nserver = pool.example.net\nca_server = ca.example.net\nca_port = 8141\n[server]\nca=false',
      'ca.example.net:8141',
    ],
    ['[main]\nserver = primary.example.net\nca = false\n', ''],
    ['[agent]\nca_server = ca.example.net\n[main]\nca = false', ''],
    ['[main]\nca_server = ca.example.net\n', ''],
  ])('asks the server of puppet.conf when there is no authority: %j', (text, primary) => {
    const { settings, warnings } = load({ files: { [puppetConf]: text } });

    expect(settings.primary).toBe(primary);
    expect(warnings).toEqual([]);
  });

  test('knows by ca.cfg whether there is an authority, unless that is said', () => {
    const file = '/etc/puppetlabs/puppetserver/services.d/ca.cfg';
    const enabled = 'puppetlabs.services.ca.certificate-authority-service/certificate-authority-service';
    const disabled =
      'puppetlabs.services.ca.certificate-authority-disabled-service/certificate-authority-disabled-service';
    const caOf = (text: string, ...flags: readonly string[]) => {
      const { origins, settings } = load({ flags, files: { [file]: text } });
      return [settings.ca, origins.ca];
    };

    expect(caOf(`# To disable the CA\n${enabled}\n#${disabled}\n`)).toEqual([true, 'default']);
    expect(caOf(`# To disable the CA\n#${enabled}\n${disabled}\n`)).toEqual([false, `${file}:3`]);
    expect(caOf(`${disabled}\n`, '--ca', 'true')).toEqual([true, '--ca']);
  });

  test('moves all places into one folder', () => {
    const files = { '/d/puppet/puppet.conf': '[main]\nca_ttl = 1d', '/d/bunraku.conf': 'serverport = 0' };

    const { settings } = load({ flags: ['--data', '/d'], files });

    expect(settings).toMatchObject({
      confDir: '/d/puppet',
      caDir: '/d/ca',
      environmentPath: ['/d/code/environments'],
      stateDir: '/d/state',
      caTtlSeconds: 86_400,
      serverPort: 0,
      authConf: '/d/auth.conf',
    });
  });

  test('reads YAML too', () => {
    const files = {
      '/x.yaml': 'storeconfigs: true\nreports: [a, b]\nca-ttl: 90\nbasemodulepath: [/a, /b]\n',
    };

    const { settings } = load({ flags: ['--config=/x.yaml'], files });

    expect(settings).toMatchObject({
      storeConfigs: true,
      reports: ['a', 'b'],
      caTtlSeconds: 90,
      baseModulePath: ['/a', '/b'],
    });
  });

  test('warns of unknown names and suggests the nearest, but not of settings of agents in puppet.conf', () => {
    const files = {
      [puppetConf]: '[main]\nrunninterval = 30m\nruninterval = 30m\nserver = x',
      [ownFile]: 'ca_tll = 1d',
    };

    const { warnings } = load({ files, env: { BUNRAKU_NONSENSE_AND_MORE: '1' } });

    expect(warnings).toEqual([
      "BUNRAKU_NONSENSE_AND_MORE: unknown setting 'nonsense_and_more'",
      `${ownFile}:1: unknown setting 'ca_tll'; did you mean 'ca_ttl'?`,
      `${puppetConf}:2: unknown setting 'runninterval'; did you mean 'runinterval'?`,
    ]);
  });

  test('reports every wrong value with its place, in the words of the reference', () => {
    const files = {
      [puppetConf]:
        '[main]\nca_ttl = abc\nstrict = maybe\nenvironment_timeout = -1\nautosign = x\nstoreconfigs = yes\ndisable_warnings = deprecations, foo',
      [ownFile]: 'max_body_size = lots\nssldir = "$nope/x"',
    };

    const run = (): unknown => load({ files, flags: ['--serverport', '99999'] });

    expect(run).toThrowError(SettingsError);
    for (const problem of [
      `${puppetConf}:2: Invalid duration format '"abc"' for parameter: ca_ttl`,
      `${puppetConf}:3: Invalid value 'maybe' for parameter strict. Allowed values are 'off', 'warning', 'error'`,
      `${puppetConf}:4: Invalid negative 'time to live' "-1" - did you mean 'unlimited'?`,
      `${puppetConf}:5: Invalid autosign value x: must be 'true'/'false' or an absolute path`,
      `${puppetConf}:6: Invalid value '"yes"' for boolean parameter: storeconfigs`,
      `${puppetConf}:7: Cannot disable unrecognized warning types 'foo'. Valid values are 'deprecations, undefined_variables, undefined_resources'`,
      `${ownFile}:1: Invalid size 'lots' for parameter: max_body_size`,
      `${ownFile}:2: Could not find value for $nope`,
      "--serverport: Cannot convert '99999' to an integer from 0 to 65535 for parameter: serverport",
    ]) {
      expect(run).toThrowError(problem);
    }
  });

  test.each([
    [
      { [puppetConf]: '[main]\ngarbage' },
      `Could not parse ${puppetConf}: Could not match line garbage (file: ${puppetConf}, line: 2)`,
    ],
    [{ [ownFile]: 'a = [1' }, `Could not parse ${ownFile}: `],
    [{ [puppetConf]: '[main]\nssldir = $certdir\ncertdir = $ssldir' }, 'refers to itself'],
  ])('refuses files that cannot be read: %j', (files, message) => {
    expect(() => load({ files: files as Record<string, string> })).toThrowError(message);
  });

  test('refuses to go on without a file that was named', () => {
    expect(() => load({ flags: ['--config', '/nowhere'] })).toThrowError('--config: no such file: /nowhere');
    expect(() => load({ flags: ['--config', '/x.yml'], files: { '/x.yml': 'a: [1' } })).toThrowError(
      'Could not parse /x.yml',
    );
  });

  test('says which file cannot be read, and who named it', () => {
    const readFile = (path: string) => {
      if (path === '/dir') throw new Error('EISDIR: illegal operation on a directory, read');
      return undefined;
    };

    expect(() =>
      loadSettings({
        flags: parseFlags(['--config', '/dir']).values,
        environment: {},
        hostname: 'a',
        readFile,
      }),
    ).toThrowError('--config: cannot read /dir: EISDIR: illegal operation on a directory, read');
  });

  test('understands unlimited', () => {
    expect(
      load({ env: { BUNRAKU_ENVIRONMENT_TIMEOUT: 'unlimited' } }).settings.environmentTimeoutSeconds,
    ).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('parseFlags', () => {
  test('tells flags, switches and the rest apart', () => {
    const { values, positional } = parseFlags([
      'a',
      '--storeconfigs',
      '--no-rich-data',
      '--ca_ttl=1d',
      'b',
      '--',
      '--c',
    ]);

    expect(positional).toEqual(['a', 'b', '--c']);
    expect(Array.from(values, ([name, { text }]) => `${name}=${text}`)).toEqual([
      'storeconfigs=true',
      'rich_data=false',
      'ca_ttl=1d',
    ]);
  });

  test('refuses unknown settings, and flags without a value', () => {
    expect(() => parseFlags(['--ca-tll', '1'])).toThrowError(
      'Unknown option --ca-tll; did you mean --ca-ttl?',
    );
    expect(() => parseFlags(['--ca-ttl'])).toThrowError('--ca-ttl needs a value');
  });
});

describe('renderSettingsReference', () => {
  test('lists every setting with its type and default', () => {
    const page = renderSettingsReference();

    expect(page).toContain(
      '### ca_ttl\n\nHow long a newly signed certificate is valid.\n\n- Type: duration\n- Default: `5y`',
    );
    expect(page).toContain('### max_body_size');
  });

  test('has each setting once', () => {
    const names: readonly string[] = renderSettingsReference().match(/(?<=^### ).*$/gm) ?? [];

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

test('a relative path on the command line starts where the command was typed', () => {
  const { settings } = loadSettings(
    processSources(parseFlags(['--data', 'try', '--certname', 'a.example']), {}),
  );

  expect(settings.stateDir).toBe(join(process.cwd(), 'try/state'));
  expect(settings.defaultManifest).toBe('./manifests');
});
