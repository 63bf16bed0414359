/** Real agents with one run after the other, until they are told to end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Agent, AgentRun } from './agent.ts';

export class LoopingAgents {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<readonly (readonly AgentRun[])[]>;

  /** @param pauseMs - between the runs of one */
  constructor(agents: readonly Agent[], pauseMs = 0) {
    this.loops = Promise.all(agents.map((agent) => this.loop(agent, pauseMs)));
  }

  /**
   * Fails unless each run changed something, without a complaint.
   *
   * @returns the runs
   */
  async end(): Promise<readonly AgentRun[]> {
    this.stopping.abort();
    const runs = (await this.loops).flat();
    for (const run of runs) expect(run, run.output).toMatchObject({ exitCode: 2, complaints: [] });
    return runs;
  }

  private async loop(agent: Agent, pauseMs: number): Promise<readonly AgentRun[]> {
    const runs: AgentRun[] = [];
    while (!this.stopping.signal.aborted) {
      runs.push(await agent.run());
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => {
        // Told to end: the loop sees that.
      });
    }
    return runs;
  }
}
