/**
 * A pool under the whole runs of hundreds of agents: the load grows to four times and falls again. BUNRAKU_DRILL_ROUNDS (1) says how often,
 * BUNRAKU_DRILL_AGENTS (500) how many are simulated, BUNRAKU_DRILL_LAPSE (12) how much faster the clock of the autoscaler goes: its
 * minute, in which work is counted, takes five seconds.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { loadManifest } from '../../demo/catalog-load.ts';
import { AgentCrowd, sslDirectoryOf } from './support/agent-crowd.ts';
import { BrokerAgents } from './support/broker-agents.ts';
import { DepartureWatch } from './support/departure-watch.ts';
import { LoopingAgents } from './support/looping-agents.ts';
import {
  drillPorts,
  drillTimeoutMs,
  keyedMessage,
  numberFrom,
  printFigures,
  runningPool,
  seconds,
  spread,
} from './support/pool-drill.ts';
import { scenarios } from './support/requirements.ts';
import { until } from './support/until.ts';

const ports = await drillPorts();
const rounds = numberFrom('BUNRAKU_DRILL_ROUNDS', 1);
const agentCount = numberFrom('BUNRAKU_DRILL_AGENTS', 500);
const lapse = numberFrom('BUNRAKU_DRILL_LAPSE', 12);
/** A catalog keeps a worker busy for so long, and no processor. */
const catalogSeconds = 1;
/** All agents keep so many workers busy, of the two of each server, and a quarter of them before and after. */
const [busyWorkers, factor] = [4.5, 4];
const fullRate = busyWorkers / catalogSeconds;
/** By the rule: 4.5 / 0.6 workers at the peak; one more than work needs before it, so that one may be lost. */
const [servers, peakServers] = [2, 4];
/** Each run of a real agent takes seconds of a processor. */
const agentPauseMs = 20_000;
const lookMs = 250;

scenarios('A pool under the load of a fleet', () => {
  const { pool, site } = runningPool(ports, `${loadManifest(catalogSeconds)}node default {}\n`, {
    autoscaler_time_lapse: lapse,
    autoscaler_local_grace: '20s',
  });
  let crowd: AgentCrowd;

  beforeAll(async () => {
    await pool.bunraku('autoscaler', 'set', '--min', '1', '--max', '6');
    crowd = await AgentCrowd.prepare({
      url: site().installation.balancerUrl,
      directory: join(site().directory, 'load'),
      domain: 'e2e.test',
      agents: agentCount,
    });
    crowd.runsPerSecond = fullRate / factor;
    crowd.start();
  });

  test.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'grows with it and shrinks after it, no run fails, and nothing is left of the servers that leave (round %i)',
    async (round) => {
      await pool.whenServing(servers);
      const before = { runs: crowd.runs, putOff: crowd.putOff };
      const names = ['one', 'two', 'three'].map((name) => `${name}.pool.e2e.test`);
      const agents = new LoopingAgents(
        names.map((name) => site().agent(name)),
        agentPauseMs,
      );
      const brokered = new BrokerAgents(
        pool,
        Array.from({ length: 12 }, (_, index) => `load${index}.e2e.test`).map((certname) => ({
          certname,
          sslDirectory: sslDirectoryOf(join(site().directory, 'load'), certname),
        })),
      );

      crowd.runsPerSecond = fullRate;
      const out = await growth(performance.now());
      await until('all agents have had a run', () => crowd.seen === agentCount, drillTimeoutMs);
      crowd.runsPerSecond = fullRate / factor;
      const watch = await shrinking(performance.now());
      const ended = await agents.end();
      await until('all brokered agents are at servers that serve', async () => {
        const { broker = [] } = Object.fromEntries(await pool.known());
        return (await pool.serving()).length === servers && broker.length > 0;
      });
      await brokered.stop();

      printFigures(`Round ${round}: ${agentCount} simulated and 3 real agents, load 1 to ${factor} to 1`, {
        ...out,
        'servers that left': watch.departures.length,
        'from the order to leave to the end of the process': spread(
          watch.departures.map(({ endedMs, toldMs }) => endedMs - toldMs),
        ),
        'from its end to no trace': spread(
          watch.departures.map(({ clearedMs, endedMs }) => clearedMs - endedMs),
        ),
        'from the order to no trace': spread(
          watch.departures.map(({ clearedMs, toldMs }) => clearedMs - toldMs),
        ),
        'runs of simulated agents': crowd.runs - before.runs,
        'simulated agents that had a run': crowd.seen,
        'their runs took': spread(crowd.durations.splice(0)),
        'requests put off': crowd.putOff - before.putOff,
        'runs of real agents': ended.length,
        'failed runs': crowd.failures.length,
      });
      expect(crowd.failures).toEqual([]);
      expect(ended.every(({ output }) => output.includes(keyedMessage))).toBe(true);
      expect(watch.departures.length).toBeGreaterThanOrEqual(peakServers - servers);
      expect(
        pool
          .processList()
          .map(({ certname }) => certname)
          .toSorted(),
      ).toEqual((await pool.serving()).toSorted());
    },
    drillTimeoutMs,
  );

  test('ends', async () => {
    await crowd.stop();
    expect(crowd.failures).toEqual([]);
  });

  /** Until so many servers serve as the load needs. */
  async function growth(sinceMs: number): Promise<Readonly<Record<string, string>>> {
    const at: Record<string, string> = {};
    const note = (what: string) => {
      at[`four times the load to ${what}`] ??= seconds(performance.now() - sinceMs);
    };
    let wantedMs = 0;
    for (;;) {
      const { advice, members } = await pool.status();
      // Full servers hide further load: the last servers may be ordered only after the first ones serve.
      if (advice.wanted > servers) note('the first order');
      const isEnough = advice.wanted >= peakServers;
      if (isEnough) note(`${peakServers} servers wanted`);
      if (isEnough && wantedMs === 0) wantedMs = performance.now();
      if (members.length >= peakServers) note('all orders');
      if (members.filter(({ state }) => state === 'serving').length >= peakServers) break;
      if (performance.now() - sinceMs > 300_000) throw new Error('the pool did not grow within 300 s');
      await sleep(lookMs);
    }
    note(`${peakServers} servers that serve`);
    return { ...at, 'wanted to serving': seconds(performance.now() - wantedMs) };
  }

  /** Waits until only the usual servers serve and the others left no trace. */
  async function shrinking(sinceMs: number): Promise<DepartureWatch> {
    const watch = new DepartureWatch(pool);
    for (;;) {
      await watch.look();
      const isOver = (await pool.status()).members.length === servers && watch.under.length === 0;
      if (isOver) return watch;
      if (performance.now() - sinceMs > 900_000) throw new Error('the pool did not shrink within 900 s');
      await sleep(lookMs);
    }
  }
});
