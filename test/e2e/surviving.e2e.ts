/** Servers that hang, that are cut off, that go in order: on hosts of their own, behind the real HAProxy. */

import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Agent } from './support/agent.ts';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const domain = 'site.test';
const [primary, compile1, compile2, balancer, node, late] = [
  'primary',
  'compile1',
  'compile2',
  'puppet',
  'web01',
  'late',
].map((name) => `${name}.${domain}`) as [string, string, string, string, string, string];
const primaryAddress = '10.143.77.1';

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'An installation in trouble', () => {});
else
  scenarios('An installation in trouble', () => {
    const site = new HostedSite([primary, compile1, compile2, balancer, node, late], `puppet,${balancer}`);
    const agent = () => site.agent(node, balancer);
    const log = (host: string) => readFileSync(join(site.directory, `${host}.log`), 'utf8');
    const on = (host: string, ...command: readonly string[]) =>
      spawnSync('ip', [...site.network.on(host).slice(1), ...command], { encoding: 'utf8' });

    beforeAll(async () => {
      site.network.create();
      const classifier = writeClassifier();
      await site.startPrimary('notify { "role ${role}": }\n');
      for (const host of [compile1, compile2])
        await site.startCompileServer(host, {
          node_terminus: 'exec',
          external_nodes: classifier,
          drain_delay: '5s',
        });
      await startBalancer();
    });
    afterAll(() => site.stop());

    /** As sites have them: it asks a service on the primary. */
    function writeClassifier(): string {
      const file = join(site.directory, 'classify');
      writeFileSync(
        file,
        `#!/bin/sh
curl -fsk --max-time 2 https://${primary}:8140/status/v1/simple > /dev/null || exit 1
printf 'parameters:\\n  role: web\\n'
`,
      );
      chmodSync(file, 0o755);
      return file;
    }

    async function startBalancer(): Promise<void> {
      const socket = join(site.directory, 'haproxy.sock');
      const main = join(inject('program'), 'dist', 'main.js');
      const config = spawnSync(
        process.execPath,
        [main, 'haproxy', 'config', '--socket', socket, '--pcp-port', 'none', '--maxconn', '200'],
        { encoding: 'utf8' },
      );
      const file = join(site.directory, 'haproxy.cfg');
      writeFileSync(file, config.stdout);
      site.start(balancer, ['haproxy', '-db', '-f', file]);
      await until('HAProxy takes commands', () => existsSync(socket));
      const follow = ['haproxy', 'follow', '--socket', socket, '--pcp-port', 'none', '--primary', primary];
      const places = ['--ssldir', join(site.directory, primary, 'puppet', 'ssl'), '--certname', primary];
      site.start(`${balancer}-follower`, [process.execPath, main, ...follow, ...places]);
      await until('agents are served', () => site.isReady(balancer));
    }

    /** A run may fail that was under way; the next one must not. */
    async function runsAgain(one: Agent): Promise<void> {
      const first = await one.run();
      if (first.exitCode === 2) return;
      const second = await one.run();
      expect(second.exitCode, first.output + second.output).toBe(2);
    }

    test('serves agents while nothing is wrong, through servers that HAProxy found by itself', async () => {
      await agent().runsCleanly(2);

      expect(log(`${balancer}-follower`)).toContain('added a compile server');
    });

    test('serves them while a compile server hangs, after one run at most', async () => {
      site.running(compile1).signal('SIGSTOP');

      await runsAgain(agent());

      site.running(compile1).signal('SIGCONT');
      await until('it serves again', () => site.isReady(compile1));
    });

    test('serves them while a compile server is cut off', async () => {
      on(compile2, 'ip', 'link', 'set', 'eth0', 'down');

      await runsAgain(agent());

      on(compile2, 'ip', 'link', 'set', 'eth0', 'up');
      await until('it serves again', () => site.isReady(compile2));
    });

    test('serves them while a compile server can not reach the primary, by what the classifier said last', async () => {
      for (const host of [compile1, compile2]) on(host, 'ip', 'route', 'add', 'blackhole', primaryAddress);

      const { output } = await agent().runsCleanly(2);

      for (const host of [compile1, compile2]) on(host, 'ip', 'route', 'del', 'blackhole', primaryAddress);
      expect(output).toContain('Notice: role web');
      // Lines of a log are held back for a moment.
      const line = await until('the log tells that the last answer was used', () =>
        `${log(compile1)}${log(compile2)}`
          .split('\n')
          .slice(0, -1)
          .find((each) => each.includes('the classifier is away, using its last answer')),
      );
      const remembered = JSON.parse(line) as Record<string, unknown>;
      expect(remembered).toMatchObject({ certname: node });
      expect(Number(remembered['ageSeconds'])).toBeGreaterThan(0);
    });

    test('serves them while the primary hangs; who has no certificate is told that the CA is away', async () => {
      site.running(primary).signal('SIGSTOP');

      const { output } = await agent().runsCleanly(2);
      const newcomer = await site.agent(late, balancer).run();

      expect(output).toContain('Notice: role web');
      expect(newcomer.exitCode).toBe(1);
      expect(newcomer.complaints.join('\n')).toMatch(/503/);
      expect(newcomer.output).not.toMatch(/Sleeping/);
      site.running(primary).signal('SIGCONT');
      await until('the primary is back', () => site.isReady(primary));
    });

    test('loses no request when a compile server is stopped in order', async () => {
      const asking = new Promise<Record<string, number>>((resolve, reject) => {
        const script = join(inject('project'), 'test', 'e2e', 'support', 'steady-client.ts');
        const args = [`https://${balancer}:8140`, agent().sslDirectory, node, '12'];
        const command = [...site.network.on(node).slice(1), process.execPath, script, ...args];
        execFile('ip', command, (error, stdout) => {
          if (error === null) resolve(JSON.parse(stdout) as Record<string, number>);
          else reject(error);
        });
      });
      await until('requests arrive', () => log(compile1).includes('pluginfacts'));

      await site.running(compile1).stop();
      const statuses = await asking;

      expect(Object.keys(statuses)).toEqual(['200']);
      expect(statuses['200']).toBeGreaterThan(10);
    });
  });
