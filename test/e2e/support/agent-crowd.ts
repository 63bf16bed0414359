/** Hundreds of simulated agents with whole runs through the load balancer, one after the other at a rate that may change. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SimulatedAgent } from '../../../demo/simulated-agent.ts';
import { simulatedFacts } from '../../../demo/simulated-facts.ts';
import { silentLogger } from '../../../src/platform/log/index.ts';
import { CrowdClient } from '../../cluster/crowd-client.ts';

export interface CrowdOptions {
  readonly url: string;
  /** Where the agents keep their certificates. */
  readonly directory: string;
  /** Agents are `load0.e2e.test` and so on. */
  readonly domain: string;
  readonly agents: number;
}

interface CrowdAgent {
  readonly certname: string;
  readonly agent: SimulatedAgent;
  isRunning: boolean;
  client: CrowdClient | undefined;
}

/** Agents that make their keys and get their certificates at the same time. */
const enrolling = 8;

export class AgentCrowd {
  /** All agents together; each has its turn. */
  runsPerSecond = 0;
  runs = 0;
  /** What went wrong, with the name of the agent. */
  readonly failures: string[] = [];
  /** Of the runs, in milliseconds. */
  readonly durations: number[] = [];
  private readonly agents: readonly CrowdAgent[];
  private readonly stopping = new AbortController();
  private readonly under = new Set<Promise<void>>();
  private pacing: Promise<void> = Promise.resolve();

  private constructor(agents: readonly CrowdAgent[]) {
    this.agents = agents;
  }

  /** Gets a certificate for each agent. */
  static async prepare(options: CrowdOptions): Promise<AgentCrowd> {
    const agents = Array.from({ length: options.agents }, (_, index) => createAgent(options, index));
    const waiting = [...agents];
    const enrol = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.agent.enrol();
    };
    await Promise.all(Array.from({ length: enrolling }, enrol));
    return new AgentCrowd(agents);
  }

  /** How often agents were told to come again later. */
  get putOff(): number {
    return this.agents.reduce((sum, { client }) => sum + (client?.putOff ?? 0), 0);
  }

  /** Agents that have had a run. */
  get seen(): number {
    return this.agents.filter(({ client }) => client !== undefined).length;
  }

  start(): void {
    this.pacing = this.pace();
  }

  /** Lets runs that are under way end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.pacing;
    await Promise.all(this.under);
  }

  private async pace(): Promise<void> {
    let dueMs = performance.now();
    for (let turn = 0; !this.stopping.signal.aborted; ) {
      const nowMs = performance.now();
      // What was missed while this process had no processor is made up for, but not without end.
      dueMs = Math.max(dueMs, nowMs - 1000);
      if (this.runsPerSecond > 0 && dueMs <= nowMs) {
        this.begin(turn);
        turn += 1;
        dueMs += 1000 / this.runsPerSecond;
      } else {
        if (this.runsPerSecond === 0) dueMs = nowMs;
        await sleep(10);
      }
    }
  }

  private begin(turn: number): void {
    const agent = this.agents[turn % this.agents.length];
    if (agent === undefined || agent.isRunning) return;
    agent.isRunning = true;
    const run = this.runOnce(agent).finally(() => {
      agent.isRunning = false;
      this.under.delete(run);
    });
    this.under.add(run);
  }

  private async runOnce({ agent, certname }: CrowdAgent): Promise<void> {
    const beganMs = performance.now();
    try {
      await agent.run();
      this.durations.push(performance.now() - beganMs);
    } catch (error) {
      this.failures.push(`${certname}: ${(error as Error).message}`);
    } finally {
      this.runs += 1;
      // As the process of an agent ends with its run.
      agent.disconnect();
    }
  }
}

function createAgent({ directory, domain, url }: CrowdOptions, index: number): CrowdAgent {
  const certname = `load${index}.${domain}`;
  const agent = new SimulatedAgent({
    certname,
    sslDir: sslDirectoryOf(directory, certname),
    serverUrl: url,
    environment: 'production',
    facts: simulatedFacts(certname, index),
    log: silentLogger,
    // A run that is under way ends in peace.
    signal: new AbortController().signal,
    key: { kind: 'ec', curve: 'P-256' },
    createClient: (credentials) => {
      const before = own.client?.putOff ?? 0;
      own.client = new CrowdClient(credentials);
      own.client.putOff = before;
      return own.client;
    },
  });
  const own: CrowdAgent = { certname, agent, isRunning: false, client: undefined };
  return own;
}

/** Where an agent of a crowd keeps its certificate. */
export function sslDirectoryOf(directory: string, certname: string): string {
  return join(directory, certname, 'ssl');
}
