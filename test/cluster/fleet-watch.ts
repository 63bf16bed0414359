/** Agents that run all the time, simulated and real ones, and what became of each of their runs. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type AgentRun } from '../e2e/support/agent.ts';
import { until } from '../e2e/support/until.ts';
import { type AgentRunRecord, type CrowdRun, steadyMs } from './agent-run.ts';
import { type ClusterOptions, standingOn } from './cluster.ts';

export interface CrowdSize {
  readonly agents: number;
  readonly intervalMs: number;
}

const patienceMs = 300_000;

export class FleetWatch {
  readonly runs: AgentRunRecord[] = [];
  private readonly options: ClusterOptions;
  private readonly stopping = new AbortController();
  private readonly ends: Promise<unknown>[] = [];
  private hasEnrolled = false;

  constructor(options: ClusterOptions) {
    this.options = options;
  }

  /** Starts the crowd; resolves when all of it have their certificates. */
  async startCrowd({ agents, intervalMs }: CrowdSize): Promise<void> {
    const { directory, hosts } = this.options;
    const script = join(import.meta.dirname, 'crowd.ts');
    const words = [`https://${hosts.balancer}:8140`, join(directory, 'crowd'), agents, intervalMs].map(
      String,
    );
    const [program = 'ip', ...args] = [
      ...standingOn(this.options, hosts.crowd),
      process.execPath,
      script,
      ...words,
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    this.stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'));
    const ended = once(child, 'exit');
    this.ends.push(ended);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const value = JSON.parse(line) as CrowdRun | { readonly enrolled: number };
      if ('enrolled' in value) this.hasEnrolled = true;
      else this.runs.push(timed(value));
    });
    const isOver = () => child.exitCode !== null;
    await until('the crowd has certificates', () => this.hasEnrolled || isOver(), patienceMs);
    if (isOver()) throw new Error('the crowd has ended');
  }

  /** The real agents: all at once the first time, then one run after another with a pause between them, until the end. */
  async startRealAgents(pauseMs = 0): Promise<void> {
    const { directory, hosts, network } = this.options;
    const agents = hosts.nodes.map(
      (certname) =>
        new Agent({
          certname,
          directory: join(directory, 'agents', certname),
          server: hosts.balancer,
          port: 8140,
          prefix: network.on(certname),
        }),
    );
    await Promise.all(agents.map((agent) => this.runOnce(agent)));
    this.ends.push(this.runOneByOne(agents, pauseMs));
  }

  /** Waits until so many more runs have ended. */
  async more(count: number): Promise<void> {
    const enough = this.runs.length + count;
    await until(`${count} runs`, () => this.runs.length >= enough, patienceMs);
  }

  /** Lets the runs that are under way end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.ends);
  }

  private async runOneByOne(agents: readonly Agent[], pauseMs: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted)
      for (const agent of agents) {
        if (signal.aborted) return;
        await this.runOnce(agent);
        await sleep(pauseMs, undefined, { signal }).catch(() => {
          // stopped: the loop sees that
        });
      }
  }

  private async runOnce(agent: Agent): Promise<void> {
    const began = Date.now();
    const run = await agent.run();
    const record = { certname: agent.certname, kind: 'real', began, ended: Date.now(), putOff: 0 } as const;
    this.runs.push({ ...record, ...judge(run) });
  }
}

/** By this process's clock. The line may come late: a run that a kill ended must not seem to have begun after the kill. */
function timed({ endedAtMs, tookMs, ...run }: CrowdRun): AgentRunRecord {
  const ended = Date.now() - (steadyMs() - endedAtMs);
  return { ...run, began: ended - tookMs, ended };
}

/** Each run of a real agent changes something: its catalog has notifications. */
function judge(run: AgentRun): Pick<AgentRunRecord, 'version' | 'failure' | 'complaints'> {
  const { complainedAt, complaints, exitCode, output } = run;
  if (exitCode !== 2 || complaints.length > 0)
    return {
      failure: `exit code ${exitCode}: ${complaints.join(' ')}`,
      complaints: complaints.map((text, index) => ({ text, at: complainedAt[index] ?? 0 })),
    };
  const said = new Set(Array.from(output.matchAll(/defined 'message' as '([^']*)'/g), (match) => match[1]));
  const [version = ''] = said;
  return said.size === 1 ? { version } : { failure: `a mixture: ${[...said].join(', ')}` };
}
