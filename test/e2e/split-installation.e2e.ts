/** Primary, compile server, PuppetDB and console services, each on a host of its own; each is restarted and killed. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { PxpAgent } from './support/pxp-agent.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const [primary, compile, puppetDb, consoleHost, node] = [
  'primary.split.test',
  'compile1.split.test',
  'puppetdb.split.test',
  'console.split.test',
  'web01.split.test',
] as const;
const user = { login: 'ada', password: 'a long password' };

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'A split installation', () => {});
else
  scenarios('A split installation', () => {
    const site = new HostedSite([primary, compile, puppetDb, consoleHost, node]);
    const known: { token?: string } = {};
    const onPrimary = ['--data', site.dataOf(primary)];

    const insecurely = ['--silent', '--show-error', '--insecure', '--max-time', '20'];
    /** Asked on the node, which resolves names itself. */
    const logIn = async () => {
      const url = `https://${consoleHost}:4433/rbac-api/v1/auth/token`;
      const words = ['--json', JSON.stringify(user), '--write-out', '\n%{http_code}', url];
      return await site.curl(node, [...insecurely, ...words]);
    };
    const query = async (token: string) => {
      const url = `https://${puppetDb}:8081/pdb/query/v4/reports`;
      const words = ['--header', `X-Authentication: ${token}`, '--write-out', '\n%{http_code}', url];
      const [body = '', status = ''] = (await site.curl(node, [...insecurely, ...words])).split('\n');
      return { status, body };
    };
    const reports = async (): Promise<number> => {
      const { body, status } = await query(known.token ?? '');
      return status === '200' ? (JSON.parse(body) as readonly unknown[]).length : -1;
    };
    const states = async () => {
      const words = ['infrastructure', 'status', '--format=json', '--data', site.dataOf(primary)];
      const { output } = await site.command(primary, words);
      const entries = JSON.parse(output.slice(output.indexOf('['))) as readonly Readonly<
        Record<'service' | 'server' | 'state' | 'url', string>
      >[];
      return entries.map(({ server, service, state }) => `${server} ${service} ${state}`);
    };
    const agent = () => site.agent(node, compile);

    const start = {
      [primary]: () =>
        site.startPrimary("notify { 'split': }\n", {
          autosign: 'true',
        }),
      [compile]: () => site.startCompileServer(compile),
      [puppetDb]: () => site.startMember(puppetDb, 'puppetdb'),
      [consoleHost]: () => site.startMember(consoleHost, 'console'),
    } as const;

    beforeAll(async () => {
      site.network.create();
      for (const host of [primary, compile]) {
        mkdirSync(join(site.dataOf(host), 'puppet'), { recursive: true });
        const conf = `[main]\nserver_urls = https://${puppetDb}:8081\n`;
        writeFileSync(join(site.dataOf(host), 'puppet', 'puppetdb.conf'), conf);
      }
      await start[primary]();
      await Promise.all([start[puppetDb](), start[consoleHost]()]);
      await start[compile]();
      const words = [
        'user',
        'create',
        user.login,
        '--role',
        'Administrators',
        '--data',
        site.dataOf(primary),
      ];
      const [ip = 'ip', ...args] = [...site.network.on(primary), process.execPath, site.program, ...words];
      const created = spawnSync(ip, args, { input: `${user.password}\n`, encoding: 'utf8' });
      expect(created, created.stderr).toMatchObject({ status: 0 });
    });
    afterAll(() => site.stop());

    test('gives a token through the console host, which PuppetDB believes; agents run', async () => {
      const [body = '', status] = (await logIn()).split('\n');
      expect({ status, body }).toMatchObject({ status: '200' });
      known.token = (JSON.parse(body) as { readonly token: string }).token;

      await agent().runsCleanly(2);

      await expect.poll(reports).toBe(1);
      expect(await query('no token')).toMatchObject({ status: '401' });
    });

    test('serves the console through its host: log-in, session, events', async () => {
      const cookies = join(site.dataOf(consoleHost), 'cookies');
      const page = (path: string, ...words: readonly string[]) =>
        site.curl(node, [
          ...insecurely,
          '--write-out',
          '\n%{http_code}',
          ...words,
          `https://${consoleHost}${path}`,
        ]);
      const form = Object.entries(user).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]);
      const ownPage = ['--header', 'Sec-Fetch-Site: same-origin'];

      expect(await page('/login')).toMatch(/name="password"[^]*\n200$/);
      expect(await page('/auth/login', ...ownPage, '--cookie-jar', cookies, ...form)).toMatch(/303$/);
      expect(await page('/console-api/v1/session', '--cookie', cookies)).toMatch(/"login":"ada"[^]*\n200$/);
      expect(await page('/console-api/v1/session')).toMatch(/401$/);
      const events = page('/console-api/v1/events?topics=nodes', '--cookie', cookies, '--max-time', '1');
      await expect(events).rejects.toThrow('event: hello');
    });

    test('is known whole to the primary', async () => {
      await expect
        .poll(states)
        .toEqual(
          expect.arrayContaining([
            `${primary} pe-master running`,
            `${compile} pe-master running`,
            `${puppetDb} puppetdb-status running`,
            `${consoleHost} rbac-service running`,
          ]),
        );
    });

    test('takes Puppet runs to its servers one after the other, the primary last', async () => {
      const servers = [compile, puppetDb, consoleHost, primary] as const;
      for (const host of servers) {
        const brokers = [`wss://${primary}:8142/pcp2/`];
        const pxp = new PxpAgent(site.agentOf(host, primary), { brokers, server: `https://${primary}:8140` });
        onTestFinished(() => pxp.stop());
        await pxp.start();
      }
      const connected = async () => {
        const { output } = await site.command(primary, ['inventory', ...onPrimary]);
        return servers.filter((host) => output.includes(host));
      };
      await expect.poll(connected, { timeout: 60_000, interval: 500 }).toEqual(servers);

      const words = ['job', 'run', '--infrastructure', ...onPrimary];
      const { exitCode, output } = await site.command(primary, words);

      expect(exitCode, output).toBe(0);
      const ends = output
        .split('\n')
        .flatMap((line) => /(?:Started|Finished) puppet run on (\S+)/.exec(line)?.[1] ?? []);
      expect(ends).toEqual(servers.flatMap((host) => [host, host]));
    });

    test('keeps a run that ends while PuppetDB is away', async () => {
      await site.running(puppetDb).kill();
      await agent().run();

      await start[puppetDb]();

      await expect.poll(reports).toBe(6);
    });

    test('has everything again after each of its servers was killed, and after each was stopped', async () => {
      for (const host of [primary, compile, puppetDb, consoleHost] as const)
        for (const end of ['kill', 'stop'] as const) {
          const before = await reports();
          await site.running(host)[end]();
          await start[host]();

          await expect
            .poll(async () => (await logIn()).split('\n')[1], { message: `${host} ${end}` })
            .toBe('200');
          await expect.poll(async () => (await agent().run()).exitCode).toBe(2);
          await expect.poll(reports).toBeGreaterThan(before);
        }
    });
  });
