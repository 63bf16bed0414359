import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isPresent, puppetDbTerminus } from '../../../scripts/debian-packages.ts';
import { ServiceError } from '../../../src/lib/service-error.ts';
import { parsePuppetDbConf } from '../../../src/services/puppetdb-client/index.ts';

const texts = [
  '',
  '[main]\n',
  '[main]\nserver_urls = https://a:8081\n',
  '[main]\nserver_urls = https://a:8081,https://b.example.net:8081/\nserver_url_timeout = 5\n',
  '[main]\n  server_urls = https://a:8081, https://b:8081 , https://c\n  sticky_read_failover = true\n',
  '# comment\n; another\n\n[main]\n\tserver_urls=https://a\n  # indented\n',
  '[other]\nserver_urls = http://ignored\n[main]\nserver_urls = https://a:1\n',
  '[main]\nserver_urls = https://a:1\n[other]\nx = y\n[main]\nsoft_write_failure = true\n',
  '[main ]\nserver_urls = https://a:1\n',
  '[main]\nserver = a\nport = 8081\n',
  '[main]\nserver = a\nserver_urls = https://b\n',
  'server_urls = https://a\n',
  '[main]\nnonsense\n',
  '[main]\nserver_urls\n',
  ' [main]\nserver_urls = https://a\n',
  '[main] # comment\nserver_urls = https://a\n',
  '[main]\nserver_urls = http://a:8080\n',
  '[main]\nserver_urls = a:8081\n',
  '[main]\nserver_urls = https://a:8081/pdb\n',
  '[main]\nserver_urls = https://a:8081,\n',
  '[main]\nserver_urls = ,https://a:8081\n',
  '[main]\nserver_urls = ,\n',
  '[main]\nserver_urls =\n',
  '[main]\nserver_urls = \nsoft_write_failure = true',
  '[main]\nserver_url_timeout = 30s\n',
  '[main]\nsoft_write_failure = true\nmin_successful_submissions = 2\n',
  '[main]\nmin_successful_submissions = 2\n',
  '[main]\nserver_urls = https://a,https://b\nmin_successful_submissions = 2\n',
  '[main]\nserver_urls = https://a,https://b\nmin_successful_submissions = 2\ncommand_broadcast = true\n',
  '[main]\nserver_urls = https://a\nmin_successful_submissions = 2\ncommand_broadcast = true\n',
  '[main]\nserver_urls = https://a\nsubmit_only_server_urls = https://b, https://c\n',
  '[main]\nserver_urls = https://a,https://b\nsubmit_only_server_urls = https://b, https://a\n',
  '[main]\nsubmit_only_server_urls = http://b\n',
  '[main]\nverify_client_certificate = false\ninclude_unchanged_resources = true\n',
  '[main]\nunknown_setting = 1\nignore_blacklisted_events = false\n',
  '[main]\nserver_urls = https://a\nserver_urls = https://b\n',
];

const isHere = isPresent(puppetDbTerminus);
if (!isHere)
  console.warn(
    `SKIPPED: reading puppetdb.conf beside the real terminus: ${puppetDbTerminus.name} is missing`,
  );

describe.skipIf(!isHere)('puppetdb.conf', () => {
  test('is read, and refused, as the real terminus does', () => {
    const { stdout } = spawnSync('ruby', [new URL('configurations.rb', import.meta.url).pathname], {
      input: JSON.stringify(texts),
      encoding: 'utf8',
    });
    const real = JSON.parse(stdout) as readonly unknown[];

    expect(texts.map((text) => [text, ours(text)])).toEqual(texts.map((text, index) => [text, real[index]]));
  });

  test('without a limit of time has one all the same', () => {
    expect(ours('[main]\nserver_url_timeout = 0\n')).toMatchObject({ server_url_timeout: 300 });
    expect(ours('[main]\nserver_url_timeout = soon\n')).toMatchObject({ server_url_timeout: 300 });
  });
});

function ours(text: string): Readonly<Record<string, unknown>> {
  const warnings: string[] = [];
  try {
    const conf = parsePuppetDbConf(text, 'puppetdb.conf', (warning) => warnings.push(warning));
    return {
      server_url_timeout: conf.serverUrlTimeoutMs / 1000,
      'include_unchanged_resources?': conf.includeUnchangedResources,
      soft_write_failure: conf.softWriteFailure,
      min_successful_submissions: conf.minSuccessfulSubmissions,
      command_broadcast: conf.commandBroadcast,
      sticky_read_failover: conf.stickyReadFailover,
      verify_client_certificate: conf.verifyClientCertificate,
      server_urls: conf.serverUrls,
      submit_only_server_urls: conf.submitOnlyServerUrls,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const prefix = 'Could not configure PuppetDB terminuses: ';
    return { error: error.message.replace(prefix, ''), warnings };
  }
}
