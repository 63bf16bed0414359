/**
 * The article "Autoscaling Puppet compile masters with AWS", step by step: a bundle of certificates on the allow lists, autosigning by
 * pattern, a rule on pp_role, a compile server that comes, is purged by its own shutdown script, and comes back after a reboot. What the
 * article's launcher and scripts call is called here; guide-autoscaling-scripts.peers.ts runs them as they are.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { AutoscalingGuide, balancer, bundle, compile, mom, node } from './support/autoscaling-guide.ts';
import { HostedMachine } from './support/hosted-machine.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

/** Where Debian has the agent's keys. */
const sslDirectory = '/var/lib/puppet/ssl';

const obstacle = Network.obstacle();

if (obstacle !== '') scenariosUnless(obstacle, 'The guide to autoscaling', () => {});
else
  scenarios('The guide to autoscaling', () => {
    const guide = new AutoscalingGuide();
    const { site } = guide;
    const logs = '/var/log/puppetlabs/puppetserver';
    let instance: HostedMachine;

    beforeAll(async () => {
      await guide.startPrimary();
      instance = new HostedMachine(site.network.on(compile));
      await instance.start('[main]\nkeylength = 2048\n');
    });
    afterAll(async () => {
      await instance.stop();
      await site.stop();
    });

    test('Create dummy certificate files', async () => {
      const { exitCode, output } = await guide.makeBundle();

      expect(exitCode, output).toBe(0);
      expect(output).toContain(`Successfully saved private key for ${bundle}`);
    });

    test('Whitelisting the dummy certificate', async () => {
      await guide.allowBundle();
    });

    test('Configure compile masters auto-classified into PE Master group: a rule on pp_role', async () => {
      const { group, wanted } = await guide.classifyByRole();

      expect(group).toMatchObject({ name: 'PE Master', rule: wanted });
    });

    test('The launcher: an instance gets its agent and its role by one line', async () => {
      const url = `https://${mom}:8140/packages/current/install.bash`;
      const words = `main:dns_alt_names=puppet,${balancer} extension_requests:pp_role=awsloadbalancer -- --puppet-service-ensure stopped`;

      const { exitCode, output } = await instance.run(
        `unshare --uts sh -c 'hostname ${compile}; curl --silent -k ${url} | bash -s ${words}'`,
      );

      expect(exitCode, output).toBe(0);
      const files = await instance.run('cat /etc/puppet/puppet.conf /etc/puppet/csr_attributes.yaml');
      expect(files.output).toContain(`certname = ${compile}\n`);
      expect(files.output).toContain(`dns_alt_names = puppet,${balancer}\n`);
      expect(files.output).toContain("pp_role: 'awsloadbalancer'");
    });

    test('Scale out: a new instance is signed, classified, installed, known and serves, without a person', async () => {
      await guide.setServers({
        drain_delay: '1s',
        puppetserver_log: `${logs}/puppetserver.log`,
        puppetserver_access_log: `${logs}/puppetserver-access.log`,
      });
      await startInstance();
      await guide.startBalancer();
      await until('the balancer serves', () => site.isReady(balancer));

      const { output } = await site.agent(node, balancer).runsCleanly(2);

      expect(output).toContain('Notice: from the pool');
      expect(await guide.serversKnown()).toContain(`Running on ${compile}`);
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
        await guide.asBundle('--request', 'PUT', ...json, '--data', '{"desired_state":"revoked"}', status),
        await guide.asBundle('--request', 'DELETE', status),
        await guide.asBundle(...json, '--data', JSON.stringify(command), `https://${mom}:8081/pdb/cmd/v1`),
      ];

      expect(answers.slice(0, 2)).toEqual(['204', '204']);
      expect(answers[2]).toMatch(/^\{"uuid":.*\}200$/s);
      await until('the server is forgotten', async () => !(await guide.serversKnown()).includes(compile));
      await until('the balancer has let it go', async () => !(await site.isReady(balancer)));
      await instance.run(`rm -rf ${sslDirectory}`);
    });

    test('and starts a run of the agent on the primary', async () => {
      const token = await guide.makeToken();
      const deploy = { environment: 'production', scope: { nodes: [mom] } };

      const json = ['--header', 'Content-Type: application/json', '--data', JSON.stringify(deploy)];
      const url = `https://${mom}:8143/orchestrator/v1/command/deploy`;
      const answer = await site.curl(compile, [
        '--silent',
        '-k',
        '--header',
        `X-Authentication:${token}`,
        ...json,
        url,
      ]);

      expect(JSON.parse(answer)).toMatchObject({ job: { id: expect.any(String) as unknown } });
      expect(await guide.jobsOf(token)).toHaveLength(1);
    });

    test('A reboot: the startup script runs the agent, and the server is back', async () => {
      await instance.run('/etc/init.d/bunraku-compile-server stop');
      await startInstance();
      await until('the balancer serves', () => site.isReady(balancer));

      const { output } = await site.agent(node, balancer).runsCleanly(2);

      expect(output).toContain('Notice: from the pool');
      expect(await guide.serversKnown()).toContain(`Running on ${compile}`);
    });

    /** What the startup script does first, on a new instance and after a reboot. */
    async function startInstance(): Promise<void> {
      const run = await instance.agent('--waitforcert 1');
      expect(run, run.output).toMatchObject({ exitCode: 2 });
      await until(`${compile} is ready`, () => site.isReady(compile));
    }
  });

/*
 * Of the article, elsewhere or not at all:
 * - the installation of the agent's package by the install script: packages.e2e.ts;
 * - the orchestrator's run of the agent on the primary (8143): orchestration.e2e.ts has such runs, and nothing here waits for one, since the
 *   primary knows its servers by their check-ins;
 * - a listener on 8142: brokers.e2e.ts.
 */
