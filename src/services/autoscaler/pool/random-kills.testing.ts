/** A history of a virtual pool in which anything may be killed at any time, and what it leaves behind. */

import { seededRandom } from '../simulation/random.ts';
import { VirtualPool } from './virtual-pool.testing.ts';

const minute = 60_000;

export interface KillsOutcome {
  /** Of the primary, of servers and of instances. */
  readonly kills: number;
  /** What should not be there two minutes after the last of them. */
  readonly found: readonly string[];
}

export function killAtRandom(seed: number): KillsOutcome {
  const random = seededRandom(seed);
  const pool = new VirtualPool({ random, killing: 0.02, restarts: random() < 0.5 });
  let kills = 0;
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  for (let step = 0; step < 60; step++) {
    pool.run(1000 + random() * 40_000);
    const machine = one([...pool.machines.values()]);
    const what = random();
    if (what < 0.1) pool.servers = 1 + Math.floor(random() * 8);
    else if (what < 0.2) pool.killPrimary();
    else if (machine === undefined) continue;
    else if (what < 0.4) pool.killServer(machine);
    else if (what < 0.5) pool.loseMachine(machine);
    else if (what < 0.65) pool.reboot(machine);
    else if (what < 0.8) pool.order(machine.certname);
    else continue;
    if (what >= 0.2 && what < 0.5) kills += 1;
  }
  pool.isKilling = false;
  pool.run(2 * minute);
  const doubles = pool.doubles === 0 ? [] : [`${pool.doubles} orders with two instances`];
  return { kills: kills + pool.primaryKills, found: [...doubles, ...pool.orphans()] };
}
