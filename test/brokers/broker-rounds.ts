/** What happens to the brokers, their agents and the orchestrator while jobs run. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';

export interface Fault {
  readonly what: string;
  readonly act: () => Promise<void>;
}

/** Longer than it takes both ends to find out that they are cut off (15 to 20 s), and clients of a broker to be sent away. */
const cutMs = 45_000;
const awayMs = 5000;
const betweenMs = 4000;

/** Each of the faults once, in an order that the round decides; which server it is changes too. */
export function faultsOf(round: number, cluster: Cluster): readonly Fault[] {
  const { hosts, network } = cluster.options;
  const { compileServers, nodes, primary } = hosts;
  const at = (list: readonly string[], offset: number): string => list[(round + offset) % list.length] ?? '';
  const [killed, cut] = [at(compileServers, 0), at(compileServers, 1)];
  const crowd = at(nodes, 0);
  const isKilled = round % 2 === 1;
  const faults: readonly Fault[] = [
    {
      what: `kill the broker of ${killed}`,
      async act() {
        await cluster.kill(killed);
        await sleep(awayMs);
        await cluster.startAgain(killed);
      },
    },
    {
      what: isKilled ? 'kill the orchestrator' : 'restart the orchestrator',
      async act() {
        await (isKilled ? cluster.kill(primary) : cluster.stop(primary));
        await cluster.startAgain(primary);
      },
    },
    {
      what: `cut the broker of ${cut} off from the orchestrator`,
      act: () => cutFor(cutMs, network, cut, primary),
    },
    {
      what: `cut agents of ${crowd} off from the broker of ${killed}`,
      act: () => cutFor(cutMs, network, crowd, killed),
    },
  ];
  return [...faults.slice(round % faults.length), ...faults.slice(0, round % faults.length)];
}

/** @param note - called as each fault begins */
export async function playFaults(faults: readonly Fault[], note: (what: string) => void): Promise<void> {
  for (const { act, what } of faults) {
    note(what);
    await act();
    await sleep(betweenMs);
  }
}

async function cutFor(
  ms: number,
  network: Cluster['options']['network'],
  host: string,
  other: string,
): Promise<void> {
  network.cut(host, other);
  await sleep(ms);
  network.mend(host, other);
}
