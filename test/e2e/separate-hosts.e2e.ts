/** Servers and agents on hosts of their own, with their real names and Puppet's port. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Process } from '../../demo/process.ts';
import { renderHaproxyConfig } from '../../src/services/load-balancer/index.ts';
import { Agent } from './support/agent.ts';
import { copyExample } from './support/example.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const domain = 'site.test';
const [primary, compile1, compile2, balancer, node] = [
  `primary.${domain}`,
  `compile1.${domain}`,
  `compile2.${domain}`,
  `puppet.${domain}`,
  `web01.${domain}`,
] as const;

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'On hosts of their own', () => {});
else
  scenarios('On hosts of their own', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-e2e-hosts-'));
    const network = new Network([primary, compile1, compile2, balancer, node]);
    const processes: Process[] = [];

    const start = (host: string, command: readonly string[]) => {
      const [program = 'ip', ...args] = [...network.on(host), ...command];
      const started = new Process({ command: program, args, logFile: join(directory, `${host}.log`) });
      processes.unshift(started);
      return started;
    };
    const bunraku = (host: string, role: string, settings: Readonly<Record<string, string | boolean>>) => {
      const data = join(directory, host);
      mkdirSync(data, { recursive: true });
      const lines = Object.entries({ certname: host, dns_alt_names: 'puppet,puppet.site.test', ...settings });
      writeFileSync(
        join(data, 'bunraku.conf'),
        lines.map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`).join(''),
      );
      return start(host, [
        process.execPath,
        join(inject('program'), 'dist', 'main.js'),
        role,
        '--data',
        data,
      ]);
    };
    const isReady = (host: string) => {
      // From where the agent is: what it can't reach does not count.
      const ask = ['curl', '--insecure', '--silent', '--fail', '--max-time', '2', '--output', '/dev/null'];
      const [program, ...args] = [...network.on(node), ...ask, `https://${host}:8140/status/v1/simple`];
      return Promise.resolve(spawnSync(program ?? 'ip', args).status === 0);
    };

    beforeAll(async () => {
      network.create();
      const environment = join(directory, primary, 'code-staging', 'environments', 'production');
      copyExample(environment, join(directory, 'managed'));
      const first = bunraku(primary, 'primary', {
        autosign: 'true',
        allow_subject_alt_names: true,
        allow_authorization_extensions: true,
      });
      await first.until('the primary is ready', () => isReady(primary));
      for (const host of [compile1, compile2]) {
        const server = bunraku(host, 'compile-server', { primary });
        await server.until(`${host} is ready`, () => isReady(host));
      }
      const config = join(directory, 'haproxy.cfg');
      const servers = [compile1, compile2].map((host) => ({ host, port: 8140 }));
      writeFileSync(config, renderHaproxyConfig({ servers, bind: '*:8140', maxConnections: 200 }));
      const haproxy = start(balancer, ['haproxy', '-db', '-f', config]);
      await haproxy.until('HAProxy is ready', () => isReady(balancer));
    });
    afterAll(async () => {
      for (const running of processes) await running.stop();
      network.remove();
      rmSync(directory, { recursive: true, force: true });
    });

    test('an agent finds its servers by name and gets everything', async () => {
      const agent = new Agent({
        certname: node,
        directory: join(directory, 'agent'),
        server: balancer,
        port: 8140,
        prefix: network.on(node),
      });

      const first = await agent.runsCleanly(2);
      await agent.runsCleanly(0);

      expect(first.output).toMatch(/^Notice: Applied catalog in /m);
    });
  });
