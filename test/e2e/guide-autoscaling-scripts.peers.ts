/** The article's own launcher, shutdown and startup scripts through a start, a stop and a reboot, below a real systemd. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AutoscalingGuide, balancer, bundle, compile, mom, node } from './support/autoscaling-guide.ts';
import { BootedMachine } from './support/booted-machine.ts';
import { guideScripts, nodePurgeUnit, scriptDirectory } from './support/guide-scripts.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

/**
 * An image with Debian's agent where Puppet's packages have theirs: its program, its fact, its keys. Of ours there is nothing. The scripts
 * use `sudo`.
 */
const prepare = `set -e
rm -rf /etc/puppetlabs /opt/puppetlabs /opt/bunraku /var/log/puppetlabs /usr/bin/bunraku /etc/puppet/* /usr/local/bin/puppet
find /var/lib/puppet -mindepth 1 -delete
mkdir -p /etc/systemd/system /opt/puppetlabs/bin /etc/puppetlabs/puppet /etc/facter/facts.d
cp /seed/booted.target /etc/systemd/system/
echo ${compile} > /etc/hostname
cp -r /seed/scripts ${scriptDirectory}
printf '#!/bin/sh\\nexec "$@"\\n' > /usr/bin/sudo
printf '#!/bin/sh\\nexec /usr/bin/puppet "$@" --confdir /etc/puppetlabs/puppet --ssldir /etc/puppetlabs/puppet/ssl\\n' > /opt/puppetlabs/bin/puppet
printf '#!/bin/sh\\nexec /usr/bin/facter "$@"\\n' > /opt/puppetlabs/bin/facter
printf '[main]\\nkeylength = 2048\\n' > /etc/puppetlabs/puppet/puppet.conf
echo aio_agent_version=7.99.0 > /etc/facter/facts.d/agent.txt
chmod 755 /usr/bin/sudo /opt/puppetlabs/bin/* ${scriptDirectory}/*.sh
`;

const obstacle = Network.obstacle() || BootedMachine.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'The scripts of the article on autoscaling', () => {});
else
  scenarios('The scripts of the article on autoscaling', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-guide-'));
    const guide = new AutoscalingGuide();
    const { site } = guide;
    let token = '';
    let machine: BootedMachine;

    beforeAll(async () => {
      await guide.startPrimary();
      expect((await guide.makeBundle()).exitCode).toBe(0);
      await guide.allowBundle();
      await guide.classifyByRole();
      await guide.setServers({ drain_delay: '1s' });
      token = await guide.makeToken();
      layOutScripts();
      machine = new BootedMachine(site.network.on(compile), directory);
      await machine.booted();
    });
    afterAll(async () => {
      await machine.stop();
      await site.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    test('the launcher installs the agent, and its unit starts what makes a compile server of the instance', async () => {
      const launched = await machine.run(`sh ${scriptDirectory}/launcher.sh`);

      expect(launched, launched.output).toMatchObject({ exitCode: 0 });
      await serves();
      await guide.startBalancer();
      await until('the balancer serves', () => site.isReady(balancer));
      expect((await site.agent(node, balancer).runsCleanly(2)).output).toContain('Notice: from the pool');
      expect(await guide.jobsOf(token)).toHaveLength(1);
    });

    test('a shutdown purges the node, and leaves nothing of it on the primary', async () => {
      const stopped = await machine.run(
        'systemctl stop nodepurge bunraku-compile-server; systemctl show -p Result nodepurge',
      );

      expect(stopped.output).toContain('Result=success');
      await until('the server is forgotten', async () => !(await guide.serversKnown()).includes(compile));
      await until('the balancer has let it go', async () => !(await site.isReady(balancer)));
      const certificates = await site.command(mom, ['ca', 'list', '--all', '--data', site.dataOf(mom)]);
      expect(certificates.output).not.toMatch(new RegExp(`^\\s*${compile}\\b`, 'm'));
      expect((await machine.run('test -e /etc/puppetlabs/puppet/ssl')).exitCode).toBe(1);
      expect(await guide.jobsOf(token)).toHaveLength(2);
    });

    test('a start brings it back with another key, although its server starts before its agent', async () => {
      const started = await machine.run(
        'systemctl start --no-block bunraku-compile-server; systemctl start nodepurge',
      );

      expect(started, started.output).toMatchObject({ exitCode: 0 });
      await serves();
      await until('the balancer serves', () => site.isReady(balancer));
      expect((await site.agent(node, balancer).runsCleanly(2)).output).toContain('Notice: from the pool');
      expect(await guide.jobsOf(token)).toHaveLength(3);
    });

    async function serves(): Promise<void> {
      await until(`${compile} is ready`, () => site.isReady(compile));
      expect(await guide.serversKnown()).toContain(`Running on ${compile}`);
    }

    function layOutScripts(): void {
      const scripts = join(directory, 'scripts');
      mkdirSync(scripts, { recursive: true });
      const copy = (name: string, path: string) =>
        writeFileSync(join(scripts, name), readFileSync(join(guide.ssl, path)));
      copy('ca.pem', 'certs/ca.pem');
      copy('bundle.pem', `certs/${bundle}.pem`);
      copy('bundle.key', `private_keys/${bundle}.pem`);
      writeFileSync(join(scripts, 'nodepurge.service'), nodePurgeUnit);
      for (const [name, text] of guideScripts({ mom, balancer, token }))
        writeFileSync(join(scripts, name), text);
      writeFileSync(join(directory, 'prepare'), prepare);
    }
  });
