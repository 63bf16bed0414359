/** Plays the day from the operator's host: `operator.ts OWNER JOB`, started by `run.ts`. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from '../cluster/cluster.ts';
import { FleetWatch } from '../cluster/fleet-watch.ts';
import { nameHosts, networkOf } from '../cluster/hosts.ts';
import { judgeCluster } from '../cluster/verdict.ts';
import { SmallDisk } from '../filesync/full-disk.ts';
import { Day } from './day.ts';
import { judgeMemory } from './flat-memory.ts';
import { judgeReports } from './kept-reports.ts';
import { MemoryWatch } from './memory-watch.ts';
import { MovedClock } from './moved-clock.ts';

interface Job {
  readonly directory: string;
  readonly servers: number;
  readonly most: number;
  readonly minutes: number;
  readonly agents: number;
  readonly real: number;
  readonly seed: number;
}

const [owner = '', text = ''] = process.argv.slice(2);
const { agents, directory, minutes, most, real, seed, servers } = JSON.parse(text) as Job;
const hosts = nameHosts(most, real);
const clock = new MovedClock(directory);
const network = networkOf(hosts, Number(owner));
const program = join(directory, 'program');
const cluster = new Cluster({ network, hosts, directory, program, wrapper: clock.wrapper });
const fleet = new FleetWatch(cluster.options);
const hourMs = (minutes * 60_000) / 24;
/** Megabytes of the primary's disk, and of two servers'. */
const sizes = [
  [hosts.primary, 2000],
  ...hosts.compileServers.slice(0, 2).map((host) => [host, 300] as const),
] as const;
const disks = new Map(sizes.map(([host, size]) => [host, diskOf(host, size)]));
const day = new Day({ cluster, clock, disks, servers, hourMs, seed });
const faults: string[] = [];
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void Promise.all([fleet.stop(), cluster.end()]).finally(() => process.exit(1)));
const memory = new MemoryWatch(() => day.running);
try {
  await day.prepare();
  await Promise.all([
    fleet.startCrowd({ agents, intervalMs: hourMs / 2 }),
    ...(real === 0 ? [] : [fleet.startRealAgents(hourMs / 2)]),
  ]);
  await day.live();
  await day.allServeTheLast();
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
await fleet.stop();
try {
  faults.push(...(await judgeReports(cluster, fleet.runs)));
} catch (error) {
  faults.push(`PuppetDB was not asked: ${String(error)}`);
}
memory.stop();
await cluster.end();
const verdict = judgeCluster({
  runs: fleet.runs,
  events: day.events,
  deploys: day.deploys,
  kills: day.kills,
  hindrances: day.hindrances,
});
const flat = judgeMemory(memory.lives);
faults.push(...verdict.faults, ...flat.faults);
if (fleet.runs.length === 0) faults.push('no agent ran');
console.log([...verdict.lines, '', ...flat.lines].join('\n'));
for (const fault of faults.slice(0, 60)) console.log(`FAULT ${fault}`);
if (faults.length > 60) console.log(`FAULT and ${faults.length - 60} more`);
console.log(faults.length === 0 ? 'as it should be' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function diskOf(host: string, megabytes: number): SmallDisk {
  const path = cluster.dataOf(host);
  mkdirSync(path, { recursive: true });
  return new SmallDisk(path, megabytes);
}
