/** Finds traces of servers that have left a pool. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerPool } from './server-pool.ts';

/** Places where each server of the pool has to be known once it serves, and no other. */
const places: readonly string[] = ['certificate', 'register', 'file sync', 'balancer', 'instance'];

/**
 * One look: processes without a member and members without one, names that no server bears any more.
 *
 * @returns nothing while all is as it should be, or the primary's words when it could not be asked
 */
export async function faultsOf(pool: ServerPool, atLeast: number): Promise<readonly string[]> {
  try {
    const { members } = await pool.status();
    const names = members.map(({ certname }) => certname);
    const running = pool.processList().map(({ certname }) => certname);
    const known = [...(await pool.known())];
    const serving = members.filter(({ state }) => state === 'serving');
    return [
      ...(serving.length < atLeast ? [`only ${serving.length} servers serve`] : []),
      ...members.flatMap(({ certname, state }) => (state === 'serving' ? [] : [`${state}: ${certname}`])),
      ...running.flatMap((name) => (names.includes(name) ? [] : [`process without an owner: ${name}`])),
      ...running.flatMap((name, index) =>
        running.indexOf(name) === index ? [] : [`two processes: ${name}`],
      ),
      ...names.flatMap((name) => (running.includes(name) ? [] : [`no process: ${name}`])),
      ...known.flatMap(([place, there]) =>
        there.flatMap((name) => (names.includes(name) ? [] : [`${place} without a server: ${name}`])),
      ),
      ...known.flatMap(([place, there]) =>
        places.includes(place)
          ? names.flatMap((name) => (there.includes(name) ? [] : [`no ${place}: ${name}`]))
          : [],
      ),
    ];
  } catch (error) {
    return [`the primary could not be asked: ${(error as Error).message}`];
  }
}

const lookMs = 250;

/** Waits until there are no findings. @returns the findings that remain at the limit */
export async function faultsAfter(
  pool: ServerPool,
  atLeast: number,
  patienceMs: number,
): Promise<readonly string[]> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const faults = await faultsOf(pool, atLeast);
    if (faults.length === 0 || performance.now() >= endMs) return faults;
    await sleep(lookMs);
  }
}
