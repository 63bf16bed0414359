/**
 * The guide of Puppet Enterprise 2018.1 to compile masters, in its order: an agent with alternative names, signed and pinned, whose
 * next run makes a compile master of its machine, code by file sync, a load balancer with health checks, agents behind it; and the
 * end of the compile master.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostedMachine } from './support/hosted-machine.ts';
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
    const machine = new HostedMachine(site.network.on(compile));
    const log = '/var/log/puppetlabs/puppetserver/puppetserver.log';
    const servers = 'ps -eo user=,args= | grep "[ ]compile-server"';
    const api = `https://${mom}:4433/classifier-api/v1/groups`;
    const onMom = (...words: readonly string[]) => site.command(mom, [...words, '--data', site.dataOf(mom)]);

    beforeAll(async () => {
      site.network.create();
      await site.startPrimary("notify { 'first code': }\n", {
        autosign: 'false',
        allow_subject_alt_names: false,
        allow_authorization_extensions: false,
      });
      const names = `dns_alt_names = ${compile},puppet,${balancer}`;
      await machine.start(`[main]\nserver = ${mom}\ncertname = ${compile}\n${names}\nkeylength = 2048\n`);
    });
    afterAll(async () => {
      await machine.stop();
      await site.stop();
    });

    test('Install compile masters, 1 to 3: an agent with alternative names, signed on the master of masters, runs', async () => {
      // The node says so of itself: a group may give it the class, and no rights.
      const { rule } = await findGroup();
      await change({ rule: ['or', rule, ['=', ['fact', 'kernel'], 'Linux']] });
      const waiting = await machine.agent('--waitforcert 0');
      expect(waiting.output).toContain("Couldn't fetch certificate from CA server");

      const plain = await onMom('ca', 'sign', '--certname', compile);
      expect(plain.exitCode).toBe(1);
      expect(plain.output).toContain('--allow-dns-alt-names');
      const signed = await onMom('ca', 'sign', '--certname', compile, '--allow-dns-alt-names');
      expect(signed, signed.output).toMatchObject({ exitCode: 0 });

      const first = await machine.agent();
      await change({ rule });

      expect(first, first.output).toMatchObject({ exitCode: 2 });
      expect(first.output).toContain('by its facts, which give no rights: nothing is installed');
      expect((await machine.run('ls /opt/bunraku')).exitCode).not.toBe(0);
      expect(await rightsOfMachine()).toEqual(['403', '403', '403']);
    });

    test('4: pinned to the group PE Master, it is a compile master by its next run', async () => {
      const settings = {
        dns_alt_names: `puppet,${balancer}`,
        drain_delay: '1s',
        puppetserver_log: log,
      };
      await change({ classes: { 'puppet_enterprise::profile::master': { settings } } });
      const pinned = await onMom('node', 'pin', 'PE Master', compile);
      expect(pinned, pinned.output).toMatchObject({ exitCode: 0 });

      const run = await machine.agent();

      expect(run, run.output).toMatchObject({ exitCode: 2 });
      expect(run.output).not.toMatch(/^(Error|Warning): (?!Facter: )/m);
      await until(`${compile} is ready`, () => site.isReady(compile));
      expect((await machine.run(servers)).output).toMatch(/^puppet .* compile-server\n$/);
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
      const { exitCode, output } = await machine.agent();
      const own = await site.agent(mom, mom).run(['--waitforcert', '0', '--ssldir', ssl]);

      expect({ exitCode, output }, output).toMatchObject({ exitCode: 2 });
      expect(output).toContain('Notice: first code');
      // The server is as it should be.
      expect(output).not.toContain('Compile_server');
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
      await until('the compile master has told it', async () =>
        line.test((await machine.run(`cat ${log}`)).output),
      );
    });

    test('Unpinned, its rights end at once, its health checks say so, and its next run removes the server', async () => {
      const status = (path: string) =>
        site.curl(node, ['--insecure', '--silent', `https://${compile}:8140/status/v1/${path}`]);
      expect(await status('simple')).toBe('running');
      // It is let in: there is no such archive.
      expect(await rightsOfMachine()).toEqual(['404', '200', '200']);

      const unpinned = await onMom('node', 'unpin', 'PE Master', compile);

      expect(unpinned, unpinned.output).toMatchObject({ exitCode: 0 });
      expect(await rightsOfMachine()).toEqual(['403', '403', '403']);
      const tells = async () => (await status('services/server?level=info')).includes('the group PE Master');
      await until('it says what is missing', tells, 60_000);
      expect(await status('simple')).not.toBe('running');
      const last = await machine.agent();
      expect(last, last.output).toMatchObject({ exitCode: 2 });
      expect(last.output).not.toMatch(/^(Error|Warning): (?!Facter: )/m);
      const left = 'ls -d /opt/bunraku/* /etc/init.d/bunraku* /usr/bin/bunraku /etc/puppetlabs/bunraku/*';
      expect((await machine.run(`${servers}; ${left} 2> /dev/null`)).output).toBe('');
      expect((await onMom('infrastructure', 'status')).output).not.toContain(compile);
    });

    /** What the primary answers to requests of servers, with the certificate of the machine's agent. */
    async function rightsOfMachine(): Promise<readonly string[]> {
      const paths = [
        `infrastructure/v1/program/${'0'.repeat(64)}.tar.gz`,
        'infrastructure/v1/shared-settings',
        'classifier-api/v1/hierarchy',
      ];
      const own = '/var/lib/puppet/ssl';
      const identity = `--cert ${own}/certs/${compile}.pem --key ${own}/private_keys/${compile}.pem`;
      const curl = `curl --silent --cacert ${own}/certs/ca.pem ${identity} --write-out '%{http_code} ' --output /dev/null`;
      const urls = paths.map((path) => `${curl} https://${mom}:8140/${path}`);
      return (await machine.run(urls.join('\n'))).output.trim().split(' ');
    }

    /** Of the group PE Master, by the API of the console. */
    async function change(body: unknown): Promise<void> {
      const { id } = await findGroup();
      const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)];
      await asOperator(`${api}/${id}`, '--fail', ...json);
    }

    async function findGroup(): Promise<Partial<Group>> {
      const groups = JSON.parse(await asOperator(api)) as readonly Group[];
      return groups.find(({ name }) => name === 'PE Master') ?? {};
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

interface Group {
  readonly id: string;
  readonly name: string;
  readonly rule: unknown;
}

/*
 * Of the guide, elsewhere or not at all:
 * - the install script itself, on a machine of its own: packages.e2e.ts and guide-additional-masters.e2e.ts;
 * - "puppet cert --allow-dns-alt-names sign": "puppet" has had no such command since version 6; what is typed in its place is here;
 * - `compile_master_pool_address` in Hiera, which the servers do not read: data of a group is read;
 * - `pcp_broker_list` and `master_uris` of the class puppet_enterprise::profile::agent: classification.e2e.ts;
 * - "Configure compile masters for orchestrator scale" (8142, 8143, PCP brokers, PXP agents, tasks): brokers.e2e.ts and pxp-agent.e2e.ts;
 * - the services below systemd, and an agent for the master of masters by the install script: booted-units.peers.ts;
 * - MCollective: not there, as in later versions of Puppet Enterprise;
 * - a split installation: split-installation.e2e.ts, without agents on its hosts.
 */
