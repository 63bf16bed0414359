/**
 * The primary of a pool is away for a quarter of an hour, by the clock on the wall, while servers come and while they go.
 * BUNRAKU_DRILL_AWAY (15) says for how many minutes. The limits of the autoscaler make servers come and go, and its own clock is faster, so
 * that they go soon.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { loadManifest } from '../../demo/catalog-load.ts';
import type { Agent } from './support/agent.ts';
import { AgentCrowd } from './support/agent-crowd.ts';
import { LoopingAgents } from './support/looping-agents.ts';
import {
  type DrillPorts,
  drillPorts,
  drillTimeoutMs,
  keyedMessage,
  numberFrom,
  printFigures,
  runningPool,
  seconds,
  spread,
} from './support/pool-drill.ts';
import { faultsAfter } from './support/pool-verdict.ts';
import { scenarios } from './support/requirements.ts';
import { until } from './support/until.ts';

const [growing, shrinking] = [await drillPorts(), await drillPorts()];
const awayMs = numberFrom('BUNRAKU_DRILL_AWAY', 15) * 60_000;
/** Simulated agents, and the catalogs of all of them. */
const [agentCount, runsPerSecond] = [40, 0.5];
const [servers, peakServers] = [2, 4];
/** Each run of a real agent takes seconds of a processor. */
const agentPauseMs = 60_000;
const boundMs = 60_000;

scenarios('A primary that is away while servers come', () => {
  const drill = prepared(growing, servers);

  test(
    'no run fails, and they serve within a minute after it is back',
    async () => {
      const { crowd, pool } = drill();
      const runs = new LoopingAgents(agentsAt(drill()), agentPauseMs);
      await limit(drill(), peakServers);
      const before = pool.processes().size;
      await until('their processes have started', () => pool.processes().size > before);

      const { faults, onTheirWay, tookMs } = await awayFor(drill(), peakServers);
      const ended = await runs.end();
      await crowd.stop();

      figures('while servers come', drill(), {
        'servers that did not serve when it was killed': onTheirWay,
        'from its start to all of them serving': seconds(tookMs),
        'runs of real agents': ended.length,
      });
      expect(faults).toEqual([]);
      expect(ended.every(({ output }) => output.includes(keyedMessage))).toBe(true);
      expect(crowd.failures).toEqual([]);
    },
    drillTimeoutMs,
  );
});

scenarios('A primary that is away while servers go', () => {
  const drill = prepared(shrinking, peakServers);

  test(
    'no run fails, and they leave no trace a minute after it is back',
    async () => {
      const { crowd, pool } = drill();
      const runs = new LoopingAgents(agentsAt(drill()), agentPauseMs);
      await limit(drill(), servers);
      // The last of those that are too many: what had not begun, the primary would decide anew.
      const leaving = await until('the last surplus server drains', async () => {
        const { members } = await pool.status();
        const draining = members.filter(({ state }) => state === 'draining');
        return members.length === servers + 1 ? draining[0]?.certname : undefined;
      });

      const { faults, tookMs } = await awayFor(drill(), servers);
      const ended = await runs.end();
      await crowd.stop();

      figures('while servers go', drill(), {
        'from its start to no trace of the server that was leaving': seconds(tookMs),
        'runs of real agents': ended.length,
      });
      expect(faults).toEqual([]);
      expect(await pool.serving()).not.toContain(leaving);
      expect(ended.every(({ output }) => output.includes(keyedMessage))).toBe(true);
      expect(crowd.failures).toEqual([]);
    },
    drillTimeoutMs,
  );
});

type Drill = ReturnType<typeof runningPool> & { readonly crowd: AgentCrowd };

function prepared(ports: DrillPorts, count: number): () => Drill {
  const running = runningPool(ports, `${loadManifest(0.3)}node default {}\n`, {
    autoscaler_time_lapse: 20,
    // They wait for the primary for longer than it is away.
    autoscaler_local_grace: '2h',
  });
  let crowd: AgentCrowd;
  beforeAll(async () => {
    const { pool, site } = running;
    await limit(running, count);
    await pool.whenServing(count);
    // They have their certificates before the authority is away.
    for (const agent of agentsAt(running)) await agent.runsCleanly(2);
    crowd = await AgentCrowd.prepare({
      url: site().installation.balancerUrl,
      directory: join(site().directory, 'load'),
      domain: 'e2e.test',
      agents: agentCount,
    });
    crowd.runsPerSecond = runsPerSecond;
    crowd.start();
  });
  return () => ({ ...running, crowd });
}

/** So many servers are wanted from now on. */
async function limit({ pool }: Pick<Drill, 'pool'>, count: number): Promise<void> {
  const words = ['--min', String(count), '--max', String(count)];
  const { exitCode, output } = await pool.bunraku('autoscaler', 'set', ...words);
  expect(exitCode, output).toBe(0);
}

function agentsAt({ site }: Pick<Drill, 'site'>): readonly Agent[] {
  return ['one', 'two', 'three'].map((name) => site().agent(`${name}.pool.e2e.test`));
}

/** @returns what was wrong a minute after its start, and when nothing was any more */
async function awayFor({ pool, site }: Drill, least: number) {
  const { installation } = site();
  const { members } = await pool.status();
  const onTheirWay = members.filter(({ state }) => state !== 'serving').length;
  await installation.primary?.kill();
  await sleep(awayMs);
  const startedMs = performance.now();
  await installation.startPrimary();
  const faults = await faultsAfter(pool, least, boundMs - (performance.now() - startedMs));
  return { faults, onTheirWay, tookMs: performance.now() - startedMs };
}

function figures(when: string, { crowd }: Drill, more: Readonly<Record<string, string | number>>): void {
  printFigures(`Primary away for ${seconds(awayMs)} ${when}`, {
    ...more,
    'runs of simulated agents': crowd.runs,
    'their runs took': spread(crowd.durations),
    'requests put off': crowd.putOff,
    'failed runs': crowd.failures.length,
  });
}
