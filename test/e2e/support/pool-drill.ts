/** What all drills of a pool of compile servers have: a site, figures, choices by a seed. */

import { loadavg } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { seededRandom } from '../../../src/services/autoscaler/simulation/random.ts';
import { eyamlData, makeEyamlKeys } from './eyaml.ts';
import { ServerPool } from './server-pool.ts';
import { runningSite, type Site } from './site.ts';

export interface DrillPorts {
  readonly local: number;
  readonly orchestrator: number;
  readonly broker: number;
  readonly users: number;
}

export async function drillPorts(): Promise<DrillPorts> {
  const [local, orchestrator, broker, users] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return { local, orchestrator, broker, users };
}

/** For what hangs: drills take minutes, and longer on a machine that does other things. */
export const drillTimeoutMs = 3 * 60 * 60_000;

/** The message in all catalogs: its value needs a key that only the primary has. */
export const keyedMessage = 'from the pool: of the key';

/**
 * A site whose compile servers come from the local driver, with brokers, groups of nodes and an eyaml key.
 *
 * @param ports - of `drillPorts`
 * @param manifest - besides the keyed message
 * @param more - further settings of the primary
 */
export function runningPool(
  ports: DrillPorts,
  manifest: string,
  more: Readonly<Record<string, string | number>> = {},
): { readonly site: () => Site; readonly pool: ServerPool } {
  const settings = {
    autoscaler_driver: 'local',
    autoscaler_local_port: ports.local,
    autoscaler_local_settings: 'compile_workers=2,drain_delay=2s',
    node_terminus: 'classifier',
    console_services_port: ports.users,
    orchestrator_port: ports.orchestrator,
    ...more,
  };
  const site = runningSite(
    { compileServers: 0, isAutoscaled: true, poolLacks: 'keys', brokers: [ports.broker], settings },
    (prepared) => {
      const keys = makeEyamlKeys(join(prepared.directory, 'keys'));
      const message = `notify { "from the pool: \${lookup('secret')}": }\n`;
      prepared.stage({ 'manifests/site.pp': message + manifest, ...eyamlData(keys, 'of the key') });
    },
  );
  const pool = new ServerPool(site, { orchestratorPort: ports.orchestrator, usersPort: ports.users });
  return { site, pool };
}

/** A number from the environment, for people who repeat a drill. */
export function numberFrom(variable: string, usual: number): number {
  const text = process.env[variable];
  const value = text === undefined ? usual : Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`${variable} is ${text}: it has to be a number`);
}

/** Choices that are the same each time. */
export class Choices {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** At least 0, and below the limit. */
  below(limit: number): number {
    return this.random() * limit;
  }

  one<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.below(list.length))];
  }
}

/** Prints the figures of a drill with the load of the machine. */
export function printFigures(title: string, figures: Readonly<Record<string, string | number>>): void {
  const load = loadavg().map((value) => value.toFixed(1));
  const lines = Object.entries({ ...figures, 'load of the machine': load.join(' ') });
  console.info([title, ...lines.map(([name, value]) => `  ${name}: ${value}`)].join('\n'));
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The largest, and the one in the middle. */
export function spread(durationsMs: readonly number[]): string {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const largest = sorted.at(-1);
  if (middle === undefined || largest === undefined) return 'none';
  return `${seconds(middle)} median, ${seconds(largest)} at most, of ${sorted.length}`;
}
