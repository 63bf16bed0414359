/**
 * `npm run bench -- filesync-hosts [SERVERS [DEPLOYS]]`: from commit to live on ten compile servers, each on a host of its own
 * (network namespaces), all files changed each time.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Cluster } from '../../test/cluster/cluster.ts';
import { nameHosts, networkOf, runAsOperator } from '../../test/cluster/hosts.ts';
import { promise, quantile, spread } from '../figures.ts';

const [owner = '', directory = '', ...sizes] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) await measureHere(Number(owner), directory, sizes.map(Number));

export async function measureFileSyncOnHosts(servers = 10, deploys = 50): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'bunraku-bench-hosts-'));
  const args = [place, String(servers), String(deploys)];
  process.exitCode = await runAsOperator(nameHosts(servers, 0), import.meta.filename, args);
  rmSync(place, { recursive: true, force: true });
}

async function measureHere(networkOwner: number, place: string, [servers = 10, deploys = 50]: number[]) {
  const hosts = nameHosts(servers, 0);
  const program = dirname(dirname(import.meta.dirname));
  const network = networkOf(hosts, networkOwner);
  const cluster = new Cluster({ network, hosts, directory: place, program });
  try {
    await cluster.startPrimary();
    await cluster.deploy(0);
    const token = await cluster.token();
    for (const host of hosts.compileServers) await cluster.join(host, token);
    const live: number[] = [];
    const committed: number[] = [];
    for (let version = 1; version <= deploys; version += 1) {
      const deploy = await cluster.deploy(version);
      if (deploy.servers !== servers || deploy.current !== servers)
        throw new Error(`deploy ${version} is live on ${deploy.current} of ${deploy.servers} servers`);
      live.push(deploy.liveMs);
      committed.push(deploy.committedMs);
      for (const host of hosts.compileServers)
        if ((await cluster.versionAt(host)) !== String(version))
          throw new Error(`${host} is not at ${version}`);
    }
    console.log(`${deploys} deploys to ${servers} compile servers on hosts of their own, all files changed`);
    console.log(`  committed:           ${spread(committed)}`);
    console.log(`  live on all of them: ${spread(live)}`);
    promise(`every file changed is live on ${servers} servers within a second`, quantile(live, 0.5) < 1000);
  } finally {
    await cluster.end();
  }
}
