/** Machines that become agents by one line, with the real package manager and the real agent. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { runningSite } from './support/site.ts';
import { machineObstacle, runInMachine } from './support/throwaway-machine.ts';
import { until } from './support/until.ts';

const certname = 'installed.e2e.test';
/** The agent of Debian, as an operator would fetch it. */
const downloads = mkdtempSync(join(tmpdir(), 'bunraku-e2e-packages-'));
const obstacle = machineObstacle() || downloadObstacle();

function downloadObstacle(): string {
  const { status } = spawnSync('apt-get', ['-qq', 'download', 'puppet-agent'], { cwd: downloads });
  return status === 0 ? '' : 'the Debian package puppet-agent can not be downloaded';
}

/** Makes the copy a machine that never had an agent. */
const withoutAgent = `dpkg --remove --force-depends puppet-agent > /dev/null 2>&1
rm -rf /etc/puppet /var/lib/puppet /var/cache/puppet
apt-get clean
`;

/** Of two places with the same version, apt takes the one that its configuration names first. */
const withoutOtherSources = `rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*
`;

if (obstacle !== '') scenariosUnless(obstacle, 'A machine that is to become an agent', () => {});
else
  scenarios('A machine that is to become an agent', () => {
    afterAll(() => rmSync(downloads, { recursive: true }));
    const site = runningSite(
      {
        compileServers: 1,
        settings: ({ balancer }) => ({ compile_master_pool_address: `localhost:${balancer}` }),
      },
      (prepared) => {
        const manifest = "notify { \"role ${trusted['extensions']['pp_role']}\": }\n";
        prepared.stage({ 'manifests/site.pp': manifest });
      },
    );
    const data = () => ['--data', site().installation.primaryDirectory];
    const oneLiner = (...args: string[]) =>
      site().installation.bunraku(['packages', 'one-liner', ...data(), ...args]);

    test('gets the package that the operator added, its settings and its certificate, through the load balancer', async () => {
      const [deb = ''] = readdirSync(downloads);
      await site().installation.bunraku([
        'packages',
        'add',
        join(downloads, deb),
        '--platform',
        platform(),
        ...data(),
      ]);
      const line = await oneLiner(
        `main:certname=${certname}`,
        'agent:splay=true',
        'extension_requests:pp_role=web',
        "custom_attributes:challengePassword=it's",
        '--',
        '--puppet-service-ensure',
        'stopped',
        '--puppet-service-enable',
        'false',
      );

      const { exitCode, output } = await runInMachine(`${withoutAgent}${withoutOtherSources}
set -e
${line}
echo '--- configuration'
cat /etc/puppet/puppet.conf /etc/puppet/csr_attributes.yaml
echo '--- run'
set +e
puppet agent --test --color=false
`);

      expect(exitCode, output).toBe(2);
      const { balancer } = site().installation.options.ports;
      expect(output).toContain(`Installing puppet-agent for ${platform()} from localhost\n`);
      expect(output).toMatch(
        new RegExp(`^Get:\\d+ https://localhost:${balancer}/packages/.* puppet-agent `, 'm'),
      );
      expect(output).toContain('Setting the puppet service to ensure=stopped and enable=false\n');
      const [, configuration = ''] = output.split('--- configuration\n');
      expect(configuration).toContain(
        `[main]\nserver = localhost\nserverport = ${balancer}\ncertname = ${certname}\n[agent]\nsplay = true\n`,
      );
      expect(configuration).toContain(
        "---\ncustom_attributes:\n  challengePassword: 'it''s'\nextension_requests:\n  pp_role: 'web'\n",
      );
      // It knew the CA before it asked anybody.
      expect(output).not.toContain('Downloaded certificate for ca');
      expect(output).toContain('Notice: role web');
      // Logs are written a moment after what they tell of.
      const served = () => site().compileServerLogs.some((entry) => entry['certname'] === certname);
      await until('the log has the agent', served);
    });

    test('installs nothing from servers with another certificate authority', async () => {
      const line = (await oneLiner()).replace(/[0-9a-f]{64} /, `${'0'.repeat(64)} `);

      const { exitCode, output } = await runInMachine(`${withoutAgent}
${line}
code=$?
command -v puppet
exit $code
`);

      expect(exitCode, output).toBe(1);
      expect(output).toMatch(/computed checksum did NOT match/);
      expect(output).not.toContain('/puppet');
    });

    test("gets its distribution's own agent where the operator added none, and starts it", async () => {
      const { installation } = site();
      const [entry] = JSON.parse(
        await installation.bunraku(['packages', 'list', '--format', 'json', ...data()]),
      ) as { readonly file: string }[];
      await installation.bunraku(['packages', 'remove', `${platform()}/${entry?.file}`, ...data()]);
      const line = await oneLiner('main:certname=own.e2e.test');

      const { exitCode, output } = await runInMachine(`${withoutAgent}
rm -f /usr/sbin/policy-rc.d
set -e
${line}
grep -la 'puppet agent' /proc/[0-9]*/cmdline | wc -l
`);

      expect(exitCode, output).toBe(0);
      expect(output).toContain(
        `No agent packages for ${platform()} on localhost, installing the distribution's own`,
      );
      expect(Number(output.trim().split('\n').at(-1)), output).toBeGreaterThan(0);
    });
  });

/** What install.bash calls this machine. */
function platform(): string {
  const { stdout } = spawnSync(
    'sh',
    ['-c', '. /etc/os-release; echo "$ID-${VERSION_ID%%.*}-$(dpkg --print-architecture)"'],
    { encoding: 'utf8' },
  );
  return stdout.trim();
}
