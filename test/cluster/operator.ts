/** Plays the cluster's day from the operator's host: `operator.ts OWNER JOB`, started by `run.ts`. */

import { join } from 'node:path';
import { Cluster } from './cluster.ts';
import { FleetWatch } from './fleet-watch.ts';
import { nameHosts, networkOf } from './hosts.ts';
import { ClusterPlay } from './play.ts';
import { judgeCluster } from './verdict.ts';

interface Job {
  readonly directory: string;
  readonly servers: number;
  readonly agents: number;
  readonly deploys: number;
  readonly real: number;
  readonly changing: number;
  readonly intervalMs: number;
}

const [owner = '', text = ''] = process.argv.slice(2);
const job = JSON.parse(text) as Job;
const { agents, changing, deploys, directory, intervalMs, real, servers } = job;
const hosts = nameHosts(servers + changing, real);
const network = networkOf(hosts, Number(owner));
const cluster = new Cluster({ network, hosts, directory, program: join(directory, 'program') });
const fleet = new FleetWatch(cluster.options);
const play = new ClusterPlay(cluster, fleet, {
  deploys,
  servers,
  changing,
  runsBetween: Math.ceil(agents / 5),
});
const faults: string[] = [];
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void Promise.all([fleet.stop(), cluster.end()]).finally(() => process.exit(1)));
try {
  await play.prepare();
  await Promise.all([fleet.startCrowd({ agents, intervalMs }), fleet.startRealAgents()]);
  await play.perform();
  await play.allServeTheLast();
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
await fleet.stop();
await cluster.end();
const verdict = judgeCluster({
  runs: fleet.runs,
  events: play.events,
  deploys: play.deploys,
  kills: play.kills,
});
faults.push(...verdict.faults);
if (fleet.runs.length === 0) faults.push('no agent ran');
console.log(verdict.lines.join('\n'));
for (const fault of faults.slice(0, 40)) console.log(`FAULT ${fault}`);
if (faults.length > 40) console.log(`FAULT and ${faults.length - 40} more`);
console.log(faults.length === 0 ? 'as it should be' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
