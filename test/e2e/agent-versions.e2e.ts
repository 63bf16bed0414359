/**
 * Agents of several versions in one installation: this machine's, and those that `BUNRAKU_AGENT_SOURCES` names.
 *
 * Debian has Puppet 7 only. The variable names a directory with a source tree for each other version (`bin/puppet`, `lib/`), and
 * with `openfact/` for those whose Facter is not installed:
 *
 *     git clone -b 8.x https://github.com/OpenVoxProject/openvox openvox8
 *     git clone https://github.com/OpenVoxProject/openfact openfact
 */

import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Agent } from './support/agent.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { until } from './support/until.ts';

interface AgentVersion {
  readonly name: string;
  /** The command that is Puppet. */
  readonly puppet: readonly string[];
}

const versions: readonly AgentVersion[] = [
  { name: 'packaged', puppet: ['puppet'] },
  ...versionsIn(process.env['BUNRAKU_AGENT_SOURCES']),
];
if (versions.length === 1)
  console.warn('SKIPPED: agents of other versions than the packaged one: BUNRAKU_AGENT_SOURCES names none');

function versionsIn(directory: string | undefined): readonly AgentVersion[] {
  if (directory === undefined) return [];
  const facter = join(directory, 'openfact', 'lib');
  return readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, 'bin', 'puppet')))
    .map((name) => {
      const libraries = [facter, join(directory, name, 'lib')].flatMap((path) => ['-I', path]);
      // `set` is part of Ruby from 3.2 on, which OpenVox 9 counts on; Debian's is older.
      return { name, puppet: ['ruby', '-rset', ...libraries, join(directory, name, 'bin', 'puppet')] };
    });
}

scenarios('Agents of several versions in one installation', () => {
  const site = runningSite({ compileServers: 1, settings: { allow_auto_renewal: true } }, (prepared) =>
    prepared.stage({
      'site-modules/fixed/manifests/init.pp': fixedClass,
      'site-modules/fixed/files/bytes.bin': 'served as it is\n',
      'site-modules/fixed/functions/shout.pp': 'function fixed::shout(String $text) { $text.upcase }\n',
      'site-modules/fixed/lib/facter/fixed_fact.rb':
        "Facter.add(:fixed_fact) { setcode { 'from a plugin' } }\n",
      'manifests/site.pp': 'node default { include fixed }\n',
    }),
  );

  describe.each(versions)('$name', ({ name, puppet }) => {
    const certname = `${name.toLowerCase().replace(/[^a-z0-9]/g, '-')}.e2e.test`;
    const managed = `/tmp/bunraku-versions/${certname}`;
    const agent = (): Agent => site().agent(certname, undefined, puppet);
    const forget = () => rmSync(managed, { recursive: true, force: true });
    beforeAll(forget);
    afterAll(forget);

    test('gets its certificate, plugins, catalog and files, and sends its report', async () => {
      const { output } = await agent().runsCleanly(2);

      expect(output).toContain(`Info: Downloaded certificate for ${certname}`);
      expect(readFileSync(join(managed, 'bytes.bin'), 'utf8')).toBe('served as it is\n');
      expect(readFileSync(join(managed, 'said'), 'utf8')).toBe('HELLO from a plugin secret');
      const [report] = await until('the report is on the primary', async () => {
        const found = await site().puppetDb(`reports[status, puppet_version] { certname = "${certname}" }`);
        return found.length > 0 && found;
      });
      const { output: version } = await agent().execute(['--version']);
      expect(report).toEqual({ status: 'changed', puppet_version: version.trim() });
    });

    test('changes nothing on its second run', async () => {
      await agent().runsCleanly(0);
    });

    test('backs up a file on the server before it repairs it', async () => {
      writeFileSync(join(managed, 'bytes.bin'), 'changed by hand\n');

      const { output } = await agent().runsCleanly(2);

      expect(output).toMatch(/Filebucketed .*bytes\.bin to remote with sum /);
      expect(readFileSync(join(managed, 'bytes.bin'), 'utf8')).toBe('served as it is\n');
    });

    test('renews its certificate when that ends soon, which Puppet 7 cannot', async () => {
      const read = () =>
        new X509Certificate(readFileSync(join(agent().sslDirectory, 'certs', `${certname}.pem`)));
      const before = read();
      const { output: version } = await agent().execute(['--version']);
      const canRenew = !version.startsWith('7.');

      const interval = canRenew ? ['--hostcert_renewal_interval=20y'] : [];
      await agent().run(interval);

      expect(read().serialNumber !== before.serialNumber).toBe(canRenew);
      await agent().runsCleanly(0);
    });

    test('says why a catalog cannot be had', async () => {
      const run = await agent().run(['--environment', 'missing', '--strict_environment_mode']);

      expect(run.exitCode).toBe(1);
      expect(run.output).toContain("'missing'");
    });
  });
});

const fixedClass = `class fixed(Sensitive[String] $word = Sensitive('secret')) {
  filebucket { 'remote': path => false }
  File { backup => 'remote' }
  $directory = "/tmp/bunraku-versions/\${trusted['certname']}"
  file { ['/tmp/bunraku-versions', $directory]: ensure => directory }
  file { "\${directory}/bytes.bin": source => 'puppet:///modules/fixed/bytes.bin' }
  file { "\${directory}/said":
    content => Sensitive("\${fixed::shout('hello')} \${facts['fixed_fact']} \${word.unwrap}"),
  }
}
`;
