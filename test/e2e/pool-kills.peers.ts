/**
 * Servers of a pool and its primary, with the driver inside, are killed at random points of launches, departures and restarts. Two
 * minutes later there is no process, certificate or pin without an owner. BUNRAKU_DRILL_SEED (1) chooses the points,
 * BUNRAKU_DRILL_KILLS (20) says how many there are. `npm run bench -- pool` does the same 10,000 times in virtual time.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import {
  Choices,
  drillPorts,
  drillTimeoutMs,
  numberFrom,
  printFigures,
  runningPool,
  spread,
} from './support/pool-drill.ts';
import { faultsAfter } from './support/pool-verdict.ts';
import { scenarios } from './support/requirements.ts';

const ports = await drillPorts();
const seed = numberFrom('BUNRAKU_DRILL_SEED', 1);
const kills = numberFrom('BUNRAKU_DRILL_KILLS', 20);
const [least, most] = [2, 6];
/** After the last kill. */
const boundMs = 120_000;
const mostDelayMs = 4000;
/** How long systemd, say, takes to start the primary again. */
const mostAwayMs = 3000;
/** An order to launch or to end is looked for so often, and for so long. */
const [pollMs, patienceMs] = [2, 15_000];

scenarios('A pool whose processes are killed', () => {
  const { pool, site } = runningPool(ports, '', { autoscaler_local_grace: '60s' });
  const choices = new Choices(seed);

  beforeAll(async () => {
    await pool.bunraku('autoscaler', 'set', '--min', String(least), '--max', String(most));
    await pool.whenServing(least);
  });

  test(
    `${kills} kills leave nothing behind (seed ${seed})`,
    async () => {
      const done: string[] = [];
      const settled: number[] = [];
      const left: string[] = [];
      for (let kill = 1; kill <= kills; kill++) {
        const what = `${await act()}, then ${await killSomething()}`;
        const killedMs = performance.now();
        await pool.bunraku('autoscaler', 'set', '--min', String(least));
        // The next kill may interrupt the recovery from this one.
        const isSettled = choices.below(1) < 0.6 || kill === kills;
        if (isSettled) {
          const faults = await faultsAfter(pool, least, boundMs);
          if (faults.length === 0) settled.push(performance.now() - killedMs);
          left.push(...faults.map((fault) => `after kill ${kill} (${what}): ${fault}`));
        }
        done.push(`${kill}: ${what}${isSettled ? '' : ', and on'}`);
        console.info(done.at(-1));
      }
      // What comes late would not have been seen.
      await sleep(boundMs);
      const faults = await faultsAfter(pool, least, 5000);

      printFigures(`${kills} kills, seed ${seed}`, {
        'until nothing was wrong': spread(settled),
        'left behind after two minutes': left.length + faults.length,
      });
      expect(left).toEqual([]);
      expect(faults).toEqual([]);
      await site().agent('after.pool.e2e.test').runsCleanly(2);
    },
    drillTimeoutMs,
  );

  /** Begins something that a kill may interrupt. */
  async function act(): Promise<string> {
    const members = await pool.serving().catch(() => []);
    const name = choices.one(members);
    const choice = Math.floor(choices.below(4));
    if (choice === 0 || members.length < least || name === undefined) {
      const wanted = Math.min(most, members.length + 1);
      await pool.bunraku('autoscaler', 'set', '--min', String(wanted));
      return 'one more is launched';
    }
    if (choice === 1 || choice === 2) {
      await pool.pin(name).catch(() => {
        // A primary that was killed a moment ago.
      });
      await pool.bunraku('infrastructure', 'drain', name, '--no-wait');
      return 'one that is pinned leaves';
    }
    const pid = pool.processes().get(name);
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
    return 'one reboots';
  }

  async function killSomething(): Promise<string> {
    const choice = Math.floor(choices.below(3));
    if (choice === 0) {
      await sleep(choices.below(mostDelayMs));
      return await killServer();
    }
    if (choice === 1) {
      await sleep(choices.below(mostDelayMs));
      await killPrimary();
      return 'the primary is killed';
    }
    const order = await whenDriverActs();
    // The driver makes a directory, a token and a process, in a quarter of a second.
    await sleep(choices.below(250));
    await killPrimary();
    return `the primary is killed while its driver ${order}`;
  }

  async function killServer(): Promise<string> {
    const victim = choices.one(pool.processList());
    if (victim === undefined) return 'there is no server to kill';
    const { members } = await pool.status().catch(() => ({ members: [] }));
    const state = members.find(({ certname }) => certname === victim.certname)?.state ?? 'unknown';
    try {
      process.kill(victim.pid, 'SIGKILL');
    } catch {
      // It ended a moment ago.
    }
    return `a server is killed that is ${state}`;
  }

  async function killPrimary(): Promise<void> {
    await site().installation.primary?.kill();
    await sleep(choices.below(mostAwayMs));
    await site().installation.startPrimary();
  }

  /** Until the driver has made an instance, or has ended one. */
  async function whenDriverActs(): Promise<string> {
    const before = pool.instances();
    const endMs = performance.now() + patienceMs;
    while (performance.now() < endMs) {
      const now = pool.instances();
      if (now.some((id) => !before.includes(id))) return 'launches';
      if (before.some((id) => !now.includes(id))) return 'ends an instance';
      await sleep(pollMs);
    }
    return 'has nothing to do';
  }
});
