/**
 * A compile server whose ssldir is emptied at each reboot, as the guide to autoscaling does it: the service, the machine's agent, or
 * both at once ask for the new certificate. The service has a user of its own, the agent is root.
 */

import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const [primary, compile, node] = ['primary', 'compile', 'node'].map((name) => `${name}.reboot.test`) as [
  string,
  string,
  string,
];
/** Of the service: users that every Debian has. */
const user = { name: 'nobody', group: 'nogroup', uid: 65_534, gid: 65_534 };
const rounds = Number(process.env['BUNRAKU_REBOOTS'] ?? 1);

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'Reboots with an emptied ssldir', () => {});
else
  scenarios('Reboots with an emptied ssldir', () => {
    const site = new HostedSite([primary, compile, node]);
    const agent = site.agent(compile, primary);
    const agentDirectory = join(site.directory, 'agents', compile);
    const certificate = join(agent.sslDirectory, 'certs', `${compile}.pem`);
    const program = join(site.directory, 'node');

    beforeAll(async () => {
      site.network.create();
      for (const directory of [site.directory, dirname(dirname(site.program))]) chmodSync(directory, 0o755);
      // The one that runs this may be where only root looks.
      copyFileSync(process.execPath, program);
      const owner = `user = ${user.name}\ngroup = ${user.group}\n`;
      const names = `dns_alt_names = ${compile},puppet\n`;
      writeFileSync(join(agentDirectory, 'conf/puppet.conf'), `[main]\n${owner}${names}`);
      writeFileSync(
        join(agentDirectory, 'conf/csr_attributes.yaml'),
        'extension_requests:\n  pp_role: awsloadbalancer\n',
      );
      await site.startPrimary("notify { 'from the pool': }\n", {
        allow_authorization_extensions: false,
        compile_servers: compile,
      });
      const data = site.dataOf(compile);
      mkdirSync(data);
      chownSync(data, user.uid, user.gid);
      const settings = { certname: compile, primary, drain_delay: '0s', waitforcert: '1s' };
      const places = { confdir: join(agentDirectory, 'conf'), ssldir: agent.sslDirectory };
      const lines = Object.entries({ ...settings, ...places }).map(
        ([name, value]) => `${name} = "${value}"\n`,
      );
      writeFileSync(join(data, 'bunraku.conf'), lines.join(''));
    });
    afterAll(() => site.stop());

    /** What a shutdown script does, and what tmpfiles.d does at the next start. */
    async function reboot(): Promise<void> {
      await site.running(compile).stop();
      const words = ['ca', 'clean', '--certname', compile, '--data', site.dataOf(primary)];
      const clean = await site.command(primary, words);
      expect(clean.exitCode, clean.output).toBe(0);
      emptySslDirectory();
    }

    function emptySslDirectory(): void {
      rmSync(agent.sslDirectory, { recursive: true });
      mkdirSync(agent.sslDirectory);
      chmodSync(agent.sslDirectory, 0o771);
      chownSync(agent.sslDirectory, user.uid, user.gid);
    }

    function startService(): void {
      const drop = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
      const words = ['compile-server', '--data', site.dataOf(compile)];
      site.start(compile, [...drop, program, site.program, ...words]);
    }

    async function runAgent(): Promise<void> {
      const run = await agent.run(['--waitforcert', '1']);
      expect(run.complaints, run.output).toEqual([]);
      expect([0, 2], run.output).toContain(run.exitCode);
    }

    async function isReady(): Promise<void> {
      await site.running(compile).until('the compile server is ready', () => site.isReady(compile));
      await agent.runsCleanly(2);
      const key = statSync(join(agent.sslDirectory, 'private_keys', `${compile}.pem`));
      expect(key).toMatchObject({ uid: user.uid });
      expect(key.mode & 0o7).toBe(0);
    }

    const orders = {
      'the service first': async () => {
        startService();
        await site.running(compile).until('it has a certificate', async () => existsSync(certificate));
        await runAgent();
      },
      'the agent first': async () => {
        await runAgent();
        startService();
      },
      'both at once': async () => {
        startService();
        await runAgent();
      },
    };

    test.each(Object.entries(orders))(`%s, ${rounds} times: a working compile server`, async (_, start) => {
      for (let round = 0; round < rounds; round += 1) {
        if (isRunning()) await reboot();
        else emptySslDirectory();
        await start();
        await isReady();
      }
      const { output } = await site.agent(node, compile).run();
      expect(output).toContain('Notice: from the pool');
    });

    function isRunning(): boolean {
      try {
        return site.running(compile).isRunning;
      } catch {
        return false;
      }
    }
  });
