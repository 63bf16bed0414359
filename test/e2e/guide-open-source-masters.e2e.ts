/**
 * The guide "Using Multiple Puppet Masters With Open Source Puppet", step by step: a certificate authority, three masters in two
 * sites, reports and PuppetDB in one place, one code, and each way to distribute agents (SRV records by a real DNS server).
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isPresent, nsd } from '../../scripts/debian-packages.ts';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';
import { until } from './support/until.ts';

const domain = 'site.test';
const [primary, east1, east2, west, dns, node] = ['primary', 'east1', 'east2', 'west', 'dns', 'web01'].map(
  (name) => `${name}.${domain}`,
) as [string, string, string, string, string, string];
/** Of the host that is fifth in the network. */
const nameServer = '10.143.77.5';
/** A name for all compile servers: round-robin DNS. */
const many = `puppet.${domain}`;

const crlUrl = `https://${east1}:8140/puppet-ca/v1/certificate_revocation_list/ca`;
const dashboardPort = 3000;
/** What the guide writes on each new master. */
const puppetConf = `[main]
ca_server = ${primary}
server = ${primary}
dns_alt_names = puppet,${many}
[master]
ca = false
reports = http,puppetdb
reporturl = http://${dns}:${dashboardPort}/reports/upload
`;

const obstacle = Network.obstacle() || (isPresent(nsd) ? '' : 'nsd');

if (obstacle !== '') scenariosUnless(obstacle, 'The guide to several open-source masters', () => {});
else
  scenarios('The guide to several open-source masters', () => {
    const site = new HostedSite([primary, east1, east2, west, dns, node], `puppet,${many}`);
    const masters = [east1, east2, west];
    const agent = () => site.agent(node, 'nobody.test');
    const useRecords = (where: string) => ['--use_srv_records', '--srv_domain', `${where}.${domain}`];
    const reports = join(site.directory, 'dashboard');

    beforeAll(async () => {
      site.network.create();
      site.network.useNameServer(node, nameServer);
      await site.startPrimary('notify { "from ${facts[\'clientcert\']}": }\n', {
        allow_subject_alt_names: false,
        compile_servers: masters.join(','),
      });
    });
    afterAll(() => site.stop());

    test('Centralize the certificate authority, method A: nodes name it as ca_server', async () => {
      const { output } = await site.agent(dns, primary).run(['--ca_server', primary]);

      expect(output).toContain(`Downloaded certificate for ${dns} from https://${primary}:8140`);
    });

    test('Create new masters: ca = false, ca_server, alternative names; the agent asks, a person signs', async () => {
      const agents = masters.map((host) => site.agent(host, primary));
      for (const host of masters)
        writeFileSync(join(site.directory, 'agents', host, 'conf', 'puppet.conf'), puppetConf);
      const runs = agents.map((each) => each.run(['--waitforcert', '1']));
      await until('they have asked', async () =>
        masters.every((host) => existsSync(join(site.dataOf(primary), 'ca', 'requests', `${host}.pem`))),
      );
      const unsigned = await sign(east1);
      const signed = await Promise.all(masters.map((host) => sign(host, '--allow-dns-alt-names')));
      const ended = await Promise.all(runs);
      for (const host of masters) await site.startOnAgent(host);

      expect(unsigned.exitCode).toBe(1);
      expect(unsigned.output).toContain('--allow-dns-alt-names');
      expect(signed.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
      expect(ended.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
      // None of them is an authority.
      for (const host of masters) expect(existsSync(join(site.dataOf(host), 'ca'))).toBe(false);
    });

    test('or option 2: a node that reaches no more than one of them gets its certificate through it', async () => {
      site.network.cut(node, primary);
      const { exitCode, output } = await site.agent(node, east1).run();
      const anonymous = spawnSync(
        'ip',
        [...site.network.on(node), 'curl', '--insecure', '--silent', crlUrl].slice(1),
        { encoding: 'utf8' },
      );
      site.network.mend(node, primary);

      expect(exitCode, output).toBe(2);
      expect(output).toContain(`Downloaded certificate for ${node} from https://${east1}:8140`);
      expect(anonymous.stdout).toMatch(/^-----BEGIN X509 CRL-----/);
    });

    test('Centralize reports, inventory and catalogs: one dashboard and one PuppetDB have what every master was sent', async () => {
      mkdirSync(reports);
      site.start(dns, [process.execPath, '-e', dashboard(reports)], 'dashboard');
      await until('the dashboard listens', () => existsSync(join(reports, 'listens')));
      for (const host of [east1, west]) await site.agent(node, host).runsCleanly(2);

      const kept = () => readdirSync(reports).filter((name) => name.endsWith('.yaml'));
      await until('the dashboard has them', () => kept().length === 2, 60_000);
      const [text = ''] = kept().map((name) => readFileSync(join(reports, name), 'utf8'));
      expect(text).toMatch(/^--- !ruby\/object:Puppet::Transaction::Report\n/);
      expect(text).toContain(`host: ${node}`);
      // With the one through which it got its certificate.
      await until('PuppetDB has them', async () => (await reportsInPuppetDb()) === 3, 60_000);
    });

    test('Keep manifests and modules in sync: what is committed once is live on each', async () => {
      const environment = join(site.dataOf(primary), 'code-staging', 'environments', 'production');
      writeFileSync(join(environment, 'manifests', 'site.pp'), 'notify { "the second version": }\n');
      const words = ['code', 'commit', '--wait', '--data', site.dataOf(primary)];
      const { exitCode, output } = await site.command(primary, words);
      const run = await site.agent(node, east2).runsCleanly(2);

      expect(exitCode, output).toBe(0);
      expect(output).toContain('live on 3 of 3 compile servers');
      expect(run.output).toContain('Notice: the second version');
    });

    test('Implement load distribution: a DNS server has the records that `bunraku dns zone` prints', () => {
      serveZone();
    });

    test('Option 4: nodes get the servers of their site in the proportion of their weights, then those of the next', () => {
      const first = resolveManyTimes('east');

      const share = (first.get(east1) ?? 0) / 400;
      // Three of four; 400 draws are further off than this once in a million times.
      expect(share).toBeGreaterThan(0.64);
      expect(share).toBeLessThan(0.86);
      expect([...first.keys()].toSorted()).toEqual([east1, east2]);
      expect([...resolveManyTimes('west').keys()]).toEqual([west]);
    });

    test('and run with nothing but a domain: certificate from the primary, everything else from the site', async () => {
      await site.command(primary, ['ca', 'clean', '--certname', node, '--data', site.dataOf(primary)]);
      agent().forgetCertificate();
      const first = await agent().run(useRecords('east'));
      const second = await agent().run([...useRecords('west'), '--debug']);

      expect(first, first.output).toMatchObject({ exitCode: 2, complaints: [] });
      expect(first.output).toMatch(
        new RegExp(`Downloaded certificate for ${node} from https://${primary}:8140`),
      );
      expect(second, second.output).toMatchObject({ exitCode: 2, complaints: [] });
      expect(reportedTo(second.output)).toEqual([west]);
    });

    test('and go to the other server of their site when one is away, and to the next site when none is there', async () => {
      await site.running(east1).kill();
      const inSite = await agent().run([...useRecords('east'), '--debug']);
      await site.running(east2).kill();
      const elsewhere = await agent().run([...useRecords('east'), '--debug']);

      expect(inSite.exitCode, inSite.output).toBe(2);
      expect(reportedTo(inSite.output)).toEqual([east2]);
      expect(elsewhere.exitCode, elsewhere.output).toBe(2);
      expect(reportedTo(elsewhere.output)).toEqual([west]);
    });

    test('or option 1 with a list of servers: nodes take the first that is there', async () => {
      const list = [east1, west].map((host) => `${host}:8140`).join(',');

      const { complaints, exitCode, output } = await agent().run(['--server_list', list, '--debug']);

      expect(exitCode, output).toBe(2);
      expect(complaints.join('\n')).toMatch(
        /Unable to connect to server.*Trying with next server from server_list/,
      );
      expect(reportedTo(output)).toEqual([west]);
    });

    test('or option 2, a name of several addresses: nodes reach the one that is there', async () => {
      const { complaints, exitCode, output } = await site.agent(node, many).run(['--debug']);

      expect(exitCode, output).toBe(2);
      expect(complaints).toEqual([]);
      expect(reportedTo(output)).toEqual([many]);
    });

    function sign(host: string, ...more: readonly string[]) {
      const data = ['--data', site.dataOf(primary)];
      return site.command(primary, ['ca', 'sign', '--certname', host, ...more, ...data]);
    }

    async function reportsInPuppetDb(): Promise<number> {
      const query = `reports[count()] { certname = "${node}" }`;
      const words = ['query', query, '--format', 'json', '--data', site.dataOf(primary)];
      const { output } = await site.command(primary, words);
      return (JSON.parse(output) as readonly { readonly count: number }[])[0]?.count ?? 0;
    }

    /** As an operator does it: what the command prints, in a zone file. */
    function serveZone(): void {
      const directory = join(site.directory, 'dns-server');
      mkdirSync(directory);
      const records = [
        zone('east', `${east1},weight=30`, `${east2},weight=10`, `${west},priority=20`),
        zone('west', west, `${east1},priority=20`, `${east2},priority=20`),
      ];
      const addresses = [2, 3, 4].map((host) => `${many}. 300 IN A 10.143.77.${host}\n`).join('');
      writeFileSync(
        join(directory, 'zone'),
        `$ORIGIN ${domain}.\n@ 300 IN SOA dns admin 1 3600 600 86400 300\n@ 300 IN NS dns\ndns 300 IN A ${nameServer}\n${addresses}${records.join('')}`,
      );
      writeFileSync(
        join(directory, 'nsd.conf'),
        `server:
  ip-address: ${nameServer}
  username: ""
  zonesdir: "${directory}"
  database: ""
  pidfile: "${directory}/pid"
  xfrdfile: "${directory}/xfrd"
  zonelistfile: "${directory}/zones"
  xfrdir: "${directory}"
remote-control:
  control-enable: no
zone:
  name: ${domain}
  zonefile: zone
`,
      );
      site.start(dns, ['nsd', '-d', '-c', join(directory, 'nsd.conf')]);
    }

    function zone(name: string, ...servers: readonly string[]): string {
      const options = servers.flatMap((server) => ['--server', server]);
      const main = join(inject('program'), 'dist', 'main.js');
      const args = ['dns', 'zone', '--domain', `${name}.${domain}`, '--ca-server', primary, ...options];
      const { status, stderr, stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return stdout;
    }

    /** The agent's own resolver, without the rest of a run: who comes first, how often of 400 times. */
    function resolveManyTimes(name: string): Map<string, number> {
      const script = `require 'puppet'
400.times { Puppet::HTTP::DNS.new.each_srv_record('${name}.${domain}', :puppet) { |host, _| puts host; break } }`;
      const args = [...site.network.on(node).slice(1), 'ruby', '-e', script];
      const { stderr, stdout } = spawnSync('ip', args, { encoding: 'utf8' });
      const counts = new Map<string, number>();
      for (const host of stdout.split('\n').filter((line) => line !== ''))
        counts.set(host, (counts.get(host) ?? 0) + 1);
      expect(
        Array.from(counts.values()).reduce((sum, count) => sum + count, 0),
        stderr,
      ).toBe(400);
      return counts;
    }

    /** Which servers got facts and reports, of a run with `--debug`. */
    function reportedTo(output: string): readonly string[] {
      const asked = output.matchAll(
        /HTTP (?:POST|PUT) https:\/\/([^:/]+):8140\/puppet\/v3\/(?:catalog|report)/g,
      );
      return Array.from(new Set(Array.from(asked, ([, host = '']) => host)));
    }
  });

/** A program that keeps what is posted to it: what any dashboard of reports does first. */
function dashboard(directory: string): string {
  return `const { writeFileSync } = require('node:fs');
    let count = 0;
    require('node:http').createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        writeFileSync('${directory}/' + (count += 1) + '.yaml', Buffer.concat(chunks));
        response.end();
      });
    }).listen(${dashboardPort}, () => writeFileSync('${directory}/listens', ''));`;
}

/*
 * Of the guide, elsewhere or not at all:
 * - option 3, a load balancer: raw TCP in almost every other scenario, ending TLS in tls-ending-proxies.test.ts;
 * - code by git, rsync, a shared file system: ways-to-deploy.e2e.ts;
 * - "puppet cert sign": "puppet" has had no such command since version 6;
 * - agents older than Puppet 4, whose paths begin with the environment (/production/certificate/NAME): not served;
 * - proxying by rules of one's own in a web server before a master: a master does it by itself.
 */
