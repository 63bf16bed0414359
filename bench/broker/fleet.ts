/** Agents in as many processes as their descriptors need. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createKeyPair } from '../../src/platform/x509/index.ts';
import type { AgentOrder, AgentOutcome } from './agent-process.ts';
import type { BenchAuthority, Issued } from './bench-authority.ts';

/** A connection of a client takes a descriptor and some 100 kB. */
const agentsEach = 5000;
/** How many connect at the same time: more would wait at the broker for longer than they are patient. */
const usualAtOnce = 100;
/** Few need a second try, unless the machine is busy. */
const usualTries = 5;

export class Fleet {
  private readonly processes: ChildProcess[] = [];
  private readonly standsForOtherMachines: boolean;

  /** @param standsForOtherMachines - its agents do not take processor time from the servers that are measured */
  constructor({ standsForOtherMachines = false } = {}) {
    this.standsForOtherMachines = standsForOtherMachines;
  }

  /** @returns what became of their attempts */
  async connect(
    order: Omit<AgentOrder, 'atOnce' | 'tries'> & Partial<Pick<AgentOrder, 'atOnce' | 'tries'>>,
  ): Promise<AgentOutcome> {
    const outcomes: Promise<AgentOutcome>[] = [];
    const atOnce = Math.ceil(usualAtOnce / Math.ceil(order.agents.length / agentsEach));
    for (let from = 0; from < order.agents.length; from += agentsEach) {
      const child = fork(new URL('./agent-process.ts', import.meta.url));
      this.processes.push(child);
      if (this.standsForOtherMachines && child.pid !== undefined)
        setPriority(child.pid, constants.priority.PRIORITY_LOW);
      const agents = order.agents.slice(from, from + agentsEach);
      child.send({ atOnce, tries: usualTries, ...order, agents } satisfies AgentOrder);
      outcomes.push(once(child, 'message').then(([outcome]) => outcome as AgentOutcome));
    }
    const all = await Promise.all(outcomes);
    const sum = (count: (outcome: AgentOutcome) => number) =>
      all.reduce((total, each) => total + count(each), 0);
    return { failed: sum(({ failed }) => failed), again: sum(({ again }) => again) };
  }

  end(): void {
    for (const child of this.processes) child.kill();
  }
}

/** Certificates of agents with one key: to make a key for each takes minutes, and no check needs it. */
export async function issueFleet(authority: BenchAuthority, size: number): Promise<readonly Issued[]> {
  const keys = await createKeyPair({ kind: 'rsa', bits: 2048 });
  return Promise.all(Array.from({ length: size }, (_, index) => authority.issue(`agent${index}.test`, keys)));
}
