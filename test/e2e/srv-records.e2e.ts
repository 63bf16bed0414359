/** Two sites of agents that find their servers by SRV records, served by a real DNS server. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isPresent, nsd } from '../../scripts/debian-packages.ts';
import { HostedSite } from './support/hosted-site.ts';
import { Network } from './support/network.ts';
import { scenarios, scenariosUnless } from './support/requirements.ts';

const domain = 'site.test';
const [primary, east1, east2, west, dns, node] = ['primary', 'east1', 'east2', 'west', 'dns', 'web01'].map(
  (name) => `${name}.${domain}`,
) as [string, string, string, string, string, string];
/** Of the host that is fifth in the network. */
const nameServer = '10.143.77.5';
/** A name for all compile servers: round-robin DNS. */
const many = `puppet.${domain}`;

const obstacle = Network.obstacle() || (isPresent(nsd) ? '' : 'nsd');

if (obstacle !== '') scenariosUnless(obstacle, 'Agents with SRV records', () => {});
else
  scenarios('Agents with SRV records', () => {
    const site = new HostedSite([primary, east1, east2, west, dns, node], `puppet,${many}`);
    const agent = () => site.agent(node, 'nobody.test');
    const useRecords = (where: string) => ['--use_srv_records', '--srv_domain', `${where}.${domain}`];

    beforeAll(async () => {
      site.network.create();
      site.network.useNameServer(node, nameServer);
      await site.startPrimary('notify { "from ${facts[\'clientcert\']}": }\n');
      for (const host of [east1, east2, west]) await site.startCompileServer(host);
      serveZone();
    });
    afterAll(() => site.stop());

    test('get the servers of their site in the proportion of their weights, then those of the next', () => {
      const first = resolveManyTimes('east');

      const share = (first.get(east1) ?? 0) / 400;
      // Three of four; 400 draws are further off than this once in a million times.
      expect(share).toBeGreaterThan(0.64);
      expect(share).toBeLessThan(0.86);
      expect([...first.keys()].toSorted()).toEqual([east1, east2]);
      expect([...resolveManyTimes('west').keys()]).toEqual([west]);
    });

    test('run with nothing but a domain: certificate from the primary, everything else from the site', async () => {
      const first = await agent().run(useRecords('east'));
      const second = await agent().run([...useRecords('west'), '--debug']);

      expect(first, first.output).toMatchObject({ exitCode: 2, complaints: [] });
      expect(first.output).toMatch(
        new RegExp(`Downloaded certificate for ${node} from https://${primary}:8140`),
      );
      expect(second, second.output).toMatchObject({ exitCode: 2, complaints: [] });
      expect(reportedTo(second.output)).toEqual([west]);
    });

    test('go to the other server of their site when one is away, and to the next site when none is there', async () => {
      await site.running(east1).kill();
      const inSite = await agent().run([...useRecords('east'), '--debug']);
      await site.running(east2).kill();
      const elsewhere = await agent().run([...useRecords('east'), '--debug']);

      expect(inSite.exitCode, inSite.output).toBe(2);
      expect(reportedTo(inSite.output)).toEqual([east2]);
      expect(elsewhere.exitCode, elsewhere.output).toBe(2);
      expect(reportedTo(elsewhere.output)).toEqual([west]);
    });

    test('or with a list of servers take the first that is there', async () => {
      const list = [east1, west].map((host) => `${host}:8140`).join(',');

      const { complaints, exitCode, output } = await agent().run(['--server_list', list, '--debug']);

      expect(exitCode, output).toBe(2);
      expect(complaints.join('\n')).toMatch(
        /Unable to connect to server.*Trying with next server from server_list/,
      );
      expect(reportedTo(output)).toEqual([west]);
    });

    test('or with a name of several addresses reach the one that is there', async () => {
      const { complaints, exitCode, output } = await site.agent(node, many).run(['--debug']);

      expect(exitCode, output).toBe(2);
      expect(complaints).toEqual([]);
      expect(reportedTo(output)).toEqual([many]);
    });

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
