/**
 * Reboots and departures of servers of a pool in random order: a shutdown is not a departure. BUNRAKU_DRILL_SEED (1) chooses the order,
 * BUNRAKU_DRILL_EACH (10) says how many there are of both. `npm run bench -- pool` does the same 10,000 times in virtual time.
 */

import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { decodeRevocationLists } from '../../src/platform/x509/index.ts';
import { LoopingAgents } from './support/looping-agents.ts';
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
const each = numberFrom('BUNRAKU_DRILL_EACH', 10);
const least = 3;
/** The next one begins while the last is under way, or after it. */
const mostPauseMs = 8000;
/** Each run of a real agent takes seconds of a processor. */
const agentPauseMs = 40_000;
const patienceMs = 120_000;

type Kind = 'reboot' | 'departure';

scenarios('Servers of a pool that reboot and leave', () => {
  const { pool, site } = runningPool(ports, '', { autoscaler_local_grace: '60s' });
  const choices = new Choices(seed);
  const mistakes: string[] = [];
  const taken: Record<Kind, number[]> = { reboot: [], departure: [] };

  beforeAll(async () => {
    await pool.bunraku('autoscaler', 'set', '--min', String(least), '--max', '6');
    await pool.whenServing(least);
  });

  test(
    `are told apart ${each} times each, in any order (seed ${seed})`,
    async () => {
      const agents = new LoopingAgents(
        ['one', 'two', 'three'].map((name) => site().agent(`${name}.pool.e2e.test`)),
        agentPauseMs,
      );
      const order = shuffled();
      const busy = new Map<string, Promise<void>>();
      const revoked: string[] = [];

      for (const kind of order) {
        const name = await chosen(busy);
        const serial = serialOf(pool.certificateOf(name));
        if (kind === 'departure') revoked.push(serial);
        const action = (kind === 'reboot' ? reboot(name, serial) : leave(name, serial)).finally(() =>
          busy.delete(name),
        );
        busy.set(name, action);
        await sleep(choices.below(mostPauseMs));
      }
      await Promise.all(busy.values());
      const faults = await faultsAfter(pool, least, patienceMs);
      const runs = await agents.end();
      const listed = await revokedSerials();

      printFigures(`${each} reboots and ${each} departures, seed ${seed}`, {
        order: order.join(', '),
        mistakes: mistakes.length,
        'from the shutdown to serving again': spread(taken.reboot),
        'from the order to leave to no trace': spread(taken.departure),
        'runs of agents': runs.length,
        'servers at the end': (await pool.serving()).length,
      });
      expect(mistakes).toEqual([]);
      expect(faults).toEqual([]);
      expect(listed).toEqual(revoked.toSorted());
    },
    drillTimeoutMs,
  );

  function shuffled(): readonly Kind[] {
    const left: Kind[] = Array.from({ length: 2 * each }, (_, index) =>
      index < each ? 'reboot' : 'departure',
    );
    return Array.from({ length: 2 * each }, () =>
      left.splice(Math.floor(choices.below(left.length)), 1),
    ).flat();
  }

  /** A server that serves, as soon as two others do. */
  async function chosen(busy: ReadonlyMap<string, unknown>): Promise<string> {
    for (;;) {
      const idle = (await pool.serving()).filter((name) => !busy.has(name));
      const name = idle.length > 2 ? choices.one(idle) : undefined;
      if (name !== undefined) return name;
      await sleep(250);
    }
  }

  async function reboot(name: string, serial: string): Promise<void> {
    const beganMs = performance.now();
    const pid = pool.processes().get(name) ?? 0;
    process.kill(pid, 'SIGTERM');
    const isBack = async () => {
      const now = pool.processes().get(name);
      return now !== undefined && now !== pid && (await pool.serving()).includes(name);
    };
    if (!(await inTime(isBack))) return void mistakes.push(`${name} did not come back`);
    taken.reboot.push(performance.now() - beganMs);
    if (serialOf(pool.certificateOf(name)) !== serial) mistakes.push(`${name} has another certificate`);
    if ((await revokedSerials()).includes(serial)) mistakes.push(`${name} was revoked`);
  }

  async function leave(name: string, serial: string): Promise<void> {
    const beganMs = performance.now();
    const { exitCode, output } = await pool.bunraku('infrastructure', 'drain', name);
    if (exitCode !== 0) mistakes.push(`${name} could not be drained: ${output}`);
    const isGone = async () => !pool.processes().has(name) && (await pool.traces([name])).length === 0;
    if (!(await inTime(isGone))) mistakes.push(`left behind: ${(await pool.traces([name])).join(', ')}`);
    taken.departure.push(performance.now() - beganMs);
    if (!(await revokedSerials()).includes(serial)) mistakes.push(`${name} was not revoked`);
  }

  async function inTime(holds: () => Promise<boolean>): Promise<boolean> {
    const endMs = performance.now() + patienceMs;
    while (!(await holds())) {
      if (performance.now() > endMs) return false;
      await sleep(250);
    }
    return true;
  }

  async function revokedSerials(): Promise<readonly string[]> {
    const client = site().installation.operator();
    const url = `${site().installation.primaryUrl}/puppet-ca/v1/certificate_revocation_list/ca`;
    const { body } = await client.send({ method: 'GET', url }).finally(() => client.close());
    const lists = decodeRevocationLists(body.toString('utf8'));
    return lists.flatMap((list) => [...list.revokedSerials]).toSorted();
  }
});

/** As revocation lists have it: hexadecimal, without leading zeros. */
function serialOf(certificate: string): string {
  return new X509Certificate(certificate).serialNumber.replace(/^0+/, '');
}
