/**
 * The guide of Puppet Enterprise 2018.1 to compile masters, in its order: an agent with alternative names, signed and pinned, its
 * runs, code by file sync, a load balancer with health checks, and agents behind it.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const [mom, compile, balancer, node] = ['mom', 'compile1', 'lb', 'web01'].map(
  (name) => `${name}.lei.test`,
) as [string, string, string, string];

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'The guide to compile masters', () => {});
else
  scenarios('The guide to compile masters', () => {
    const site = new HostedSite([mom, compile, balancer, node], `puppet,${balancer}`);
    const ssl = join(site.dataOf(mom), 'puppet', 'ssl');
    const logs = join(site.directory, 'logs');
    const onMom = (...words: readonly string[]) => site.command(mom, [...words, '--data', site.dataOf(mom)]);

    beforeAll(async () => {
      site.network.create();
      mkdirSync(logs);
      await site.startPrimary("notify { 'first code': }\n", {
        autosign: 'false',
        allow_subject_alt_names: false,
        allow_authorization_extensions: false,
      });
    });
    afterAll(() => site.stop());

    test('Install compile masters, 1 to 3: an agent with alternative names, signed on the master of masters, runs', async () => {
      const agent = site.agent(compile, mom);
      const names = `[main]\nserver = ${mom}\ndns_alt_names = ${compile},puppet,${balancer}\n`;
      writeFileSync(join(site.directory, 'agents', compile, 'conf', 'puppet.conf'), names);
      const waiting = await agent.run(['--waitforcert', '0']);
      expect(waiting.output).toContain("Couldn't fetch certificate from CA server");

      const plain = await onMom('ca', 'sign', '--certname', compile);
      expect(plain.exitCode).toBe(1);
      expect(plain.output).toContain('--allow-dns-alt-names');
      const signed = await onMom('ca', 'sign', '--certname', compile, '--allow-dns-alt-names');
      expect(signed, signed.output).toMatchObject({ exitCode: 0 });

      await agent.runsCleanly(2);
    });

    test('4: pinned to the group PE Master, it is a compile master', async () => {
      const pinned = await onMom('node', 'pin', 'PE Master', compile);
      expect(pinned, pinned.output).toMatchObject({ exitCode: 0 });

      await site.startOnAgent(compile, {
        primary: mom,
        puppetserver_log: join(logs, 'puppetserver.log'),
      });

      expect((await onMom('infrastructure', 'status')).output).toContain(`Running on ${compile}`);
    });

    test('5: as data of the group says, the script for agents names the load balancer, whichever master hands it out', async () => {
      const scriptOf = (host: string) =>
        site.curl(node, ['--insecure', '--silent', `https://${host}:8140/packages/current/install.bash`]);
      const before = await scriptOf(mom);

      await change({ config_data: { pe_repo: { compile_master_pool_address: balancer } } });

      expect(before).not.toContain(balancer);
      expect(await scriptOf(mom)).toContain(balancer);
      await until('the compile master knows it', async () => (await scriptOf(compile)).includes(balancer));
    });

    test('6: Puppet runs on the compile master, then on the master of masters', async () => {
      await site.agent(compile, mom).runsCleanly(2);
      const own = await site.agent(mom, mom).run(['--waitforcert', '0', '--ssldir', ssl]);

      expect(own.complaints, own.output).toEqual([]);
      expect(own.output).toContain('Notice: first code');
    });

    test('Using health checks: 200 for all clients, and a balancer that asks for it', async () => {
      const status = `https://${compile}:8140/status/v1/simple`;
      const answer = await site.curl(balancer, [
        '--insecure',
        '--silent',
        '--write-out',
        ' %{http_code}',
        status,
      ]);
      expect(answer).toBe('running 200');

      const socket = join(site.directory, 'haproxy.sock');
      const own = ['--socket', socket, '--pcp-port', 'none'];
      const file = join(site.directory, 'haproxy.cfg');
      const config = await site.command(balancer, ['haproxy', 'config', ...own, '--maxconn', '100']);
      expect(config.output).toContain('leastconn');
      writeFileSync(file, config.output);
      site.start(balancer, ['haproxy', '-db', '-f', file]);
      await until('HAProxy takes commands', () => existsSync(socket));
      const identity = ['--primary', mom, '--ssldir', ssl, '--certname', mom];
      const follow = ['haproxy', 'follow', ...own, ...identity];
      site.start(balancer, [process.execPath, site.program, ...follow], 'follower');
      await until('the balancer serves', () => site.isReady(balancer));
    });

    test('The CA service is a proxy: an agent behind the balancer is signed on the master of masters', async () => {
      const agent = site.agent(node, balancer);
      await agent.run(['--waitforcert', '0']);
      const signed = await onMom('ca', 'sign', '--certname', node);
      expect(signed, signed.output).toMatchObject({ exitCode: 0 });

      const { output } = await agent.runsCleanly(2);

      expect(output).toContain('Notice: first code');
    });

    test('File sync: what is committed on the master of masters is live on the compile master', async () => {
      const manifest = join(site.dataOf(mom), 'code-staging/environments/production/manifests/site.pp');
      writeFileSync(manifest, "notify { 'second code': }\n");
      const committed = await onMom('code', 'commit', '--wait');
      expect(committed, committed.output).toMatchObject({ exitCode: 0 });

      const { output } = await site.agent(node, balancer).runsCleanly(2);

      expect(output).toContain('Notice: second code');
      const line = new RegExp(`Puppet Compiled catalog for ${node} in environment production`);
      await until('the compile master has told it', () =>
        line.test(readFileSync(join(logs, 'puppetserver.log'), 'utf8')),
      );
    });

    test('Unpinned, it is no compile master any more: its health checks fail and say why', async () => {
      const status = (path: string) =>
        site.curl(node, ['--insecure', '--silent', `https://${compile}:8140/status/v1/${path}`]);
      const before = await status('simple');

      const unpinned = await onMom('node', 'unpin', 'PE Master', compile);

      expect(unpinned, unpinned.output).toMatchObject({ exitCode: 0 });
      expect(before).toBe('running');
      const tells = async () => (await status('services/server?level=info')).includes('the group PE Master');
      await until('it says what is missing', tells, 60_000);
      expect(await status('simple')).not.toBe('running');
    });

    /** Of the group PE Master, by the API of the console. */
    async function change(body: unknown): Promise<void> {
      const api = `https://${mom}:4433/classifier-api/v1/groups`;
      const groups = JSON.parse(await asOperator(api)) as readonly Readonly<Record<'id' | 'name', string>>[];
      const { id } = groups.find(({ name }) => name === 'PE Master') ?? {};
      const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)];
      await asOperator(`${api}/${id}`, '--fail', ...json);
    }

    async function asOperator(...words: readonly string[]): Promise<string> {
      const key = join(ssl, 'private_keys', `${mom}.pem`);
      const identity = ['--cert', join(ssl, 'certs', `${mom}.pem`), '--key', key];
      return await site.curl(mom, [
        '--silent',
        '--cacert',
        join(ssl, 'certs', 'ca.pem'),
        ...identity,
        ...words,
      ]);
    }
  });

/*
 * Of the guide, elsewhere or not at all:
 * - the install script itself, on a machine of its own: packages.e2e.ts and guide-additional-masters.e2e.ts;
 * - "puppet cert --allow-dns-alt-names sign": "puppet" has had no such command since version 6; what is typed in its place is here;
 * - `compile_master_pool_address` in Hiera, which the servers do not read: data of a group is read;
 * - `pcp_broker_list` and `master_uris` of the class puppet_enterprise::profile::agent: classification.e2e.ts;
 * - "Configure compile masters for orchestrator scale" (8142, 8143, PCP brokers and their log, PXP agents, tasks) and MCollective: there is no
 *   orchestrator yet;
 * - a split installation: PuppetDB and console are on the primary.
 */
