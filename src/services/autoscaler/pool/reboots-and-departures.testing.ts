/** Servers of a virtual pool that reboot and leave in random order. */

import { seededRandom } from '../simulation/random.ts';
import { VirtualPool } from './virtual-pool.testing.ts';

const minute = 60_000;

export interface RebootsOutcome {
  readonly reboots: number;
  readonly departures: number;
  /** Reboots that cost a certificate, departures that left something behind. It ends with the first of them. */
  readonly mistakes: number;
  readonly orphans: readonly string[];
}

export function rebootsAndDepartures(seed: number, count: number): RebootsOutcome {
  const random = seededRandom(seed);
  const pool = new VirtualPool({ random, killing: 0, restarts: true });
  pool.servers = 6;
  pool.run(2 * minute);
  const counts = { reboots: 0, departures: 0, mistakes: 0 };
  while (counts.reboots + counts.departures < count && counts.mistakes === 0) {
    const serving = [...pool.machines.values()].filter(({ process }) => process === 'running');
    const machine = serving[Math.floor(random() * serving.length)];
    if (machine === undefined) {
      counts.mistakes += 1;
      break;
    }
    const { certname, key } = machine;
    const isDeparture = random() < 0.5;
    if (isDeparture) pool.order(certname);
    else pool.reboot(machine);
    counts[isDeparture ? 'departures' : 'reboots'] += 1;
    pool.run(minute);
    const isKnown = pool.certificates.has(certname) && pool.register.has(certname);
    const isThere = pool.machines.get(key)?.process === 'running';
    const isGone =
      !pool.certificates.has(certname) && !pool.register.has(certname) && !pool.machines.has(key);
    const isRight = isDeparture
      ? isGone && pool.revoked.has(certname)
      : isKnown && isThere && !pool.revoked.has(certname);
    if (!isRight) counts.mistakes += 1;
  }
  return { ...counts, orphans: pool.orphans() };
}
