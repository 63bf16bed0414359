/**
 * The article "Autoscaling Puppet compile masters with AWS", step by step: a bundle of certificates on the allow lists, autosigning by
 * pattern, a rule on pp_role, a compile server that comes, is purged by its own shutdown script, and comes back after a reboot.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostedMachine } from './support/hosted-machine.ts';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const domain = 'compute.test';
const [mom, balancer, compile, node] = ['mom', 'nlb', 'ip-10-0-0-1', 'web01'].map(
  (name) => `${name}.${domain}`,
) as [string, string, string, string];
/** Whose certificate the scripts show. */
const bundle = `aws-lambda.${domain}`;

/**
 * A directory with the scripts of the article (`awsnodemanagement`): they are public, and not ours to keep. Without it, what they call is
 * called above.
 */
const scripts = process.env['GUIDE_SCRIPTS'];
/** Where the scripts expect the agent's keys; else where Debian has them. */
const sslDirectory = scripts === undefined ? '/var/lib/puppet/ssl' : '/etc/puppetlabs/puppet/ssl';

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'The guide to autoscaling', () => {});
else
  scenarios('The guide to autoscaling', () => {
    const site = new HostedSite([mom, balancer, compile, node], `puppet,${balancer}`);
    const ssl = join(site.dataOf(mom), 'puppet', 'ssl');
    const logs = '/var/log/puppetlabs/puppetserver';
    const instance = new HostedMachine(site.network.on(compile));

    beforeAll(async () => {
      site.network.create();
      const data = site.dataOf(mom);
      mkdirSync(data, { recursive: true });
      writeFileSync(join(data, 'autosign.conf'), `*.${domain}\n`);
      writeFileSync(join(data, 'ca.conf'), 'certificate-authority: { allow-subject-alt-names: true }\n');
      await site.startPrimary("notify { 'from the pool': }\n", {
        autosign: join(data, 'autosign.conf'),
        allow_subject_alt_names: false,
        allow_authorization_extensions: false,
      });
      const agent = `[main]\nserver = ${mom}\ncertname = ${compile}\n`;
      const keys = scripts === undefined ? '' : `ssldir = ${sslDirectory}\n`;
      await instance.start(`${agent}dns_alt_names = puppet,${balancer}\nkeylength = 2048\n${keys}`);
      if (scripts !== undefined)
        await instance.run(`mkdir -p ${sslDirectory} && chown puppet:puppet ${sslDirectory}`);
    });
    afterAll(async () => {
      await instance.stop();
      await site.stop();
    });

    test('Create dummy certificate files', async () => {
      const words = ['ca', 'generate', '--certname', bundle, '--data', site.dataOf(mom)];
      const { exitCode, output } = await site.command(mom, words);

      expect(exitCode, output).toBe(0);
      expect(output).toContain(`Successfully saved private key for ${bundle}`);
    });

    test('Whitelisting the dummy certificate', async () => {
      const authority = 'puppet_enterprise::profile::certificate_authority';
      const puppetDb = 'puppet_enterprise::profile::puppetdb';

      await change('PE Certificate Authority', {
        config_data: { [authority]: { client_whitelist: [bundle] } },
      });
      await change('PE PuppetDB', { classes: { [puppetDb]: { whitelisted_certnames: [bundle] } } });
    });

    test('Configure compile masters auto-classified into PE Master group: a rule on pp_role', async () => {
      const { rule } = await find('PE Master');
      const ofPool = ['=', ['trusted', 'extensions', 'pp_role'], 'awsloadbalancer'];

      expect(await change('PE Master', { rule: ['or', rule, ofPool] })).toMatchObject({
        name: 'PE Master',
        rule: ['or', rule, ofPool],
      });
    });

    test('Scale out: a new instance is signed, classified, installed, known and serves, without a person', async () => {
      const settings = {
        drain_delay: '1s',
        puppetserver_log: `${logs}/puppetserver.log`,
        puppetserver_access_log: `${logs}/puppetserver-access.log`,
        // Debian's agent with its keys where Puppet's packages have them.
        ...(scripts === undefined ? {} : { ssldir: sslDirectory }),
      };
      await change('PE Master', { classes: { 'puppet_enterprise::profile::master': { settings } } });
      await instance.run(
        "printf 'extension_requests:\\n  pp_role: awsloadbalancer\\n' > /etc/puppet/csr_attributes.yaml",
      );
      await startInstance();
      await startBalancer();
      await until('the balancer serves', () => site.isReady(balancer));

      const { output } = await site.agent(node, balancer).runsCleanly(2);

      expect(output).toContain('Notice: from the pool');
      expect(await stateOfInstance()).toContain(`Running on ${compile}`);
    });

    test('and its logs are where people of Puppet Server look, in its form', async () => {
      const holds = async (name: string, line: RegExp) =>
        line.test((await instance.run(`cat ${logs}/${name}`)).output);

      await until('the compile is told', async () =>
        holds(
          'puppetserver.log',
          /^\S+Z INFO {2}\[main\] \[puppetserver\] Puppet Compiled catalog for web01\.compute\.test in environment production in [\d.]+ seconds$/m,
        ),
      );
      await until('the request is told', async () =>
        holds(
          'puppetserver-access.log',
          /^10\.143\.77\.2 - - \[.*\] "POST \/puppet\/v3\/catalog\/web01\.compute\.test\?environment=production HTTP\/1\.1" 200 (?:\d+|-) "-" "Puppet\/7\S* Ruby\/\S+ \(.*\)" \d+ \d+ -$/m,
        ),
      );
    });

    test('Scale in: the shutdown script purges the node by three calls', async () => {
      const json = ['--header', 'Content-Type: application/json'];
      const status = `https://${mom}:8140/puppet-ca/v1/certificate_status/${compile}`;
      const command = { command: 'deactivate node', version: 3, payload: { certname: compile } };

      const answers = [
        await fromInstance('--request', 'PUT', ...json, '--data', '{"desired_state":"revoked"}', status),
        await fromInstance('--request', 'DELETE', status),
        await fromInstance(...json, '--data', JSON.stringify(command), `https://${mom}:8081/pdb/cmd/v1`),
      ];

      expect(answers.slice(0, 2)).toEqual(['204', '204']);
      expect(answers[2]).toMatch(/^\{"uuid":.*\}200$/s);
      await until('the server is forgotten', async () => !(await stateOfInstance()).includes(compile));
      await until('the balancer has let it go', async () => !(await site.isReady(balancer)));
      await instance.run(`rm -rf ${sslDirectory}`);
    });

    test('A reboot: the startup script runs the agent, and the server is back', async () => {
      await instance.run('/etc/init.d/bunraku-compile-server stop');
      await startInstance();
      await until('the balancer serves', () => site.isReady(balancer));

      const { output } = await site.agent(node, balancer).runsCleanly(2);

      expect(output).toContain('Notice: from the pool');
      expect(await stateOfInstance()).toContain(`Running on ${compile}`);
    });

    test.skipIf(scripts === undefined)(
      'The scripts of the article, unchanged: a stop purges, a start brings back',
      async () => {
        const user = ['--data', site.dataOf(mom)];
        await site.command(mom, [
          'user',
          'create',
          'scripts',
          '--role',
          'operators',
          '--no-password',
          ...user,
        ]);
        const token =
          (await site.command(mom, ['user', 'token', 'scripts', ...user])).output.trim().split('\n').at(-1) ??
          '';
        await layOutAsPuppetLabs();
        for (const name of ['purgescript.sh', 'startupscript.sh'])
          await instance.run(
            `cat > /home/awsnodemanagement/${name} << 'SCRIPT'\n${configured(join(scripts ?? '', name), token)}\nSCRIPT`,
          );
        const before = await jobsOf(token);

        const stopped = await instance.run(asHost('/home/awsnodemanagement/purgescript.sh'));

        expect(stopped.output).toContain('"uuid"');
        expect((await jobsOf(token)).length, stopped.output).toBe(before.length + 1);
        await until('the server is forgotten', async () => !(await stateOfInstance()).includes(compile));
        await until('the balancer has let it go', async () => !(await site.isReady(balancer)));
        expect((await instance.run('test -e /etc/puppetlabs/puppet/ssl')).exitCode).toBe(1);
        await instance.run('/etc/init.d/bunraku-compile-server stop');

        const started = await instance.run(asHost('/home/awsnodemanagement/startupscript.sh'));

        expect((await jobsOf(token)).length, started.output).toBe(before.length + 2);
        await until('the balancer serves', () => site.isReady(balancer));
        expect((await site.agent(node, balancer).runsCleanly(2)).output).toContain('Notice: from the pool');
        expect(await stateOfInstance()).toContain(`Running on ${compile}`);
      },
    );

    /** Variables of a script, which people set at its beginning. */
    function configured(file: string, token: string): string {
      return readFileSync(file, 'utf8')
        .replace(/^momhostname=.*$/m, `momhostname=${mom}`)
        .replace(/^rbactoken=.*$/m, `rbactoken=${token}`)
        .replace(/^cerfile=.*$/m, 'cerfile=bundle.pem')
        .replace(/^keyfile=.*$/m, 'keyfile=bundle.key');
    }

    /** The scripts use Puppet's own packages and `sudo`: the agent's files move to the places of these. */
    async function layOutAsPuppetLabs(): Promise<void> {
      const read = (path: string) => readFileSync(join(ssl, path), 'utf8');
      const files = {
        '/home/awsnodemanagement/ca.pem': read('certs/ca.pem'),
        '/home/awsnodemanagement/bundle.pem': read(`certs/${bundle}.pem`),
        '/home/awsnodemanagement/bundle.key': read(`private_keys/${bundle}.pem`),
        '/usr/bin/sudo': '#!/bin/sh\nexec "$@"\n',
      };
      await instance.run('mkdir -p /home/awsnodemanagement /opt/puppetlabs/bin');
      for (const [path, text] of Object.entries(files))
        await instance.run(`cat > ${path} << 'FILE'\n${text}\nFILE`);
      await instance.run('chmod +x /usr/bin/sudo; ln -s /usr/bin/puppet /opt/puppetlabs/bin/puppet');
    }

    /** In a shell whose `HOSTNAME` is the instance's. */
    function asHost(script: string): string {
      return `unshare --uts sh -c 'hostname ${compile}; exec bash ${script}'`;
    }

    async function jobsOf(token: string): Promise<readonly unknown[]> {
      const words = [
        ...ca,
        '--header',
        `X-Authentication: ${token}`,
        `https://${mom}:8143/orchestrator/v1/jobs`,
      ];
      return (JSON.parse(await site.curl(mom, words)) as { readonly items: readonly unknown[] }).items;
    }

    /** What the launcher does on a new instance, and the startup script after a reboot. */
    async function startInstance(): Promise<void> {
      const run = await instance.agent('--waitforcert 1');
      expect(run, run.output).toMatchObject({ exitCode: 2 });
      await until(`${compile} is ready`, () => site.isReady(compile));
    }

    /** HAProxy in the place of the cloud's balancer, and what keeps it to the servers that there are. */
    async function startBalancer(): Promise<void> {
      const socket = join(site.directory, 'haproxy.sock');
      const own = ['--socket', socket, '--pcp-port', 'none'];
      const file = join(site.directory, 'haproxy.cfg');
      const config = await site.command(balancer, ['haproxy', 'config', ...own, '--maxconn', '100']);
      writeFileSync(file, config.output);
      site.start(balancer, ['haproxy', '-db', '-f', file]);
      await until('HAProxy takes commands', () => existsSync(socket));
      const identity = ['--primary', mom, '--ssldir', ssl, '--certname', mom];
      const follow = ['haproxy', 'follow', ...own, ...identity];
      site.start(balancer, [process.execPath, site.program, ...follow], 'follower');
    }

    async function stateOfInstance(): Promise<string> {
      const words = ['infrastructure', 'status', '--data', site.dataOf(mom)];
      return (await site.command(mom, words)).output;
    }

    async function find(wanted: string): Promise<Partial<Group>> {
      const groups = JSON.parse(await asOperator(api)) as readonly Group[];
      return groups.find(({ name }) => name === wanted) ?? {};
    }

    /** As the console does it. */
    async function change(name: string, delta: unknown): Promise<unknown> {
      const { id } = await find(name);
      const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(delta)];
      return JSON.parse(await asOperator(`${api}/${id}`, '--fail', ...json));
    }

    async function asOperator(...words: readonly string[]): Promise<string> {
      const key = join(ssl, 'private_keys', `${mom}.pem`);
      const identity = ['--cert', join(ssl, 'certs', `${mom}.pem`), '--key', key];
      return await site.curl(mom, [...ca, ...identity, ...words]);
    }

    /** With the bundle, as the scripts ask. @returns the body and the status */
    async function fromInstance(...words: readonly string[]): Promise<string> {
      const key = join(ssl, 'private_keys', `${bundle}.pem`);
      const identity = ['--cert', join(ssl, 'certs', `${bundle}.pem`), '--key', key];
      return await site.curl(compile, [...ca, ...identity, '--write-out', '%{http_code}', ...words]);
    }

    const api = `https://${mom}:4433/classifier-api/v1/groups`;
    const ca = ['--silent', '--cacert', join(ssl, 'certs', 'ca.pem')];
  });

interface Group {
  readonly id: string;
  readonly name: string;
  readonly rule: unknown;
}

/*
 * Of the article, elsewhere or not at all:
 * - the launcher: the install script with `extension_requests:pp_role=` and `-- --puppet-service-ensure`: packages.e2e.ts;
 * - a token for the orchestrator, and its run of the agent on the primary after each change (8143): orchestration.e2e.ts has such runs, and
 *   nothing here waits for one, since the primary knows its servers by their check-ins;
 * - a listener on 8142: brokers.e2e.ts;
 * - systemd units that run the scripts at shutdown and start: what they call is called here.
 */
