/**
 * A fleet in virtual time: agents with the spool of the real one, connections that break, messages that are lost, doubled and
 * overtaken, and a store that a crash can interrupt before and after each write.
 *
 * What agents do follows the recordings of pxp-agent 1.15.25: a known transaction is answered with a provisional response alone, a
 * result that is due while there is no connection is lost, an agent that starts again sends none, and a status query tells all of it.
 */

import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { AgentLink, AgentListener } from './agent-link.ts';
import type { JobChange, JobOrder, OpenJob, RunnerStore } from './job-store.ts';
import { type Action, newAction } from './jobs/action.ts';
import { queryType } from './jobs/agent-answer.ts';
import { type Job, newStatuses, stateOf } from './jobs/job.ts';
import type { JobEvent } from './jobs/job-event.ts';
import { noOutput } from './jobs/node-output.ts';
import { hasEnded, isJobOver, nodeStates } from './jobs/states.ts';

/** Mulberry32: the same histories on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class VirtualTime {
  now = 1_800_000_000_000;
  private readonly due: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  private count = 0;

  after(ms: number, run: () => void): void {
    this.count += 1;
    this.due.push({ at: this.now + ms, order: this.count, run });
  }

  /** Runs what is due next, and all that follows from it at once. */
  async step(): Promise<void> {
    let next = 0;
    for (const [index, { at, order }] of this.due.entries()) {
      const best = this.due[next];
      if (best !== undefined && (at < best.at || (at === best.at && order < best.order))) next = index;
    }
    const [found] = this.due.splice(next, 1);
    if (found === undefined) return;
    this.now = found.at;
    found.run();
    // Chains of promises among the runner, the store and the link are a dozen links long.
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  }
}

interface SpoolEntry {
  runs: number;
  status: 'running' | 'ended' | 'lost';
  exitcode: number;
  readonly startedAt: number;
  endedAt?: number;
  /** Of the process of the agent that began it: only that one sends the result. */
  readonly process: number;
}

/** How much goes wrong. */
export interface Weather {
  /** Mean time between breaks of a connection; none when infinite. */
  readonly calmMs: number;
  readonly longestBreakMs: number;
  readonly doubled: number;
  /** Chance that the agent's process ends, with each break. */
  readonly restarts: number;
  /** Chance that the machine is killed with all that runs on it, with each break. */
  readonly kills: number;
}

export class SimulatedAgent {
  readonly certname: string;
  readonly spool = new Map<string, SpoolEntry>();
  /** Counts connections; the current one, when there is any. */
  connectionNumber = 0;
  isConnected = false;
  process = 1;

  constructor(certname: string) {
    this.certname = certname;
  }

  /** How often something was run here. */
  get runs(): number {
    return [...this.spool.values()].reduce((sum, { runs }) => sum + runs, 0);
  }
}

export class SimulatedFleet {
  readonly agents = new Map<string, SimulatedAgent>();
  private readonly time: VirtualTime;
  private readonly random: () => number;
  private readonly weather: Weather;
  private listener: AgentListener | undefined;
  /** What the broker believes: it may not have noticed a break. */
  private readonly known = new Map<string, { readonly number: number; readonly broker: string }>();

  constructor(time: VirtualTime, random: () => number, weather: Weather, size: number) {
    this.time = time;
    this.random = random;
    this.weather = weather;
    for (let index = 0; index < size; index += 1) {
      const agent = new SimulatedAgent(`agent${index}`);
      this.agents.set(agent.certname, agent);
      this.connect(agent);
      this.breakLater(agent);
    }
  }

  /** @param gate - passes before and after each message, and never again once its process has crashed */
  link(gate: <T>(act: () => T) => Promise<T>): AgentLink {
    return {
      connection: (certname) => {
        const found = this.known.get(certname);
        return found && { broker: found.broker, since: new Date(this.time.now) };
      },
      *connections() {},
      expectedUntil: () => undefined,
      send: (certname, messageType, data) => gate(() => this.deliver(certname, messageType, data)),
      listen: (listener) => {
        this.listener = listener;
        return () => undefined;
      },
    };
  }

  forgetListener(): void {
    this.listener = undefined;
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private breakLater(agent: SimulatedAgent): void {
    const calmMs = -Math.log(1 - this.random()) * this.weather.calmMs;
    if (Number.isFinite(calmMs)) this.time.after(calmMs, () => this.breakNow(agent));
  }

  private breakNow(agent: SimulatedAgent): void {
    agent.isConnected = false;
    const number = agent.connectionNumber;
    if (this.chance(this.weather.restarts)) agent.process += 1;
    if (this.chance(this.weather.kills)) {
      agent.process += 1;
      for (const entry of agent.spool.values()) if (entry.status === 'running') entry.status = 'lost';
    }
    const awayMs = 200 + this.random() * this.weather.longestBreakMs;
    this.time.after(this.random() * 20_000, () => this.noticeBreak(agent, number));
    this.time.after(awayMs, () => {
      this.connect(agent);
      this.breakLater(agent);
    });
  }

  private noticeBreak({ certname }: SimulatedAgent, number: number): void {
    const known = this.known.get(certname);
    if (known?.number === number) this.known.delete(certname);
    // Sometimes the end of an old connection is told after the next one has begun.
    if (known?.number === number || this.chance(0.3)) this.listener?.lost(certname);
  }

  private connect(agent: SimulatedAgent): void {
    agent.connectionNumber += 1;
    agent.isConnected = true;
    const broker = `pcp://compile${Math.floor(this.random() * 3)}/server`;
    this.known.set(agent.certname, { number: agent.connectionNumber, broker });
    this.listener?.connected(agent.certname, broker);
  }

  private deliver(certname: string, messageType: string, data: Json): 'sent' | 'not-connected' {
    const known = this.known.get(certname);
    const agent = this.agents.get(certname);
    if (known === undefined || agent === undefined) return 'not-connected';
    const copies = this.chance(this.weather.doubled) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1)
      this.time.after(1 + this.random() * 50, () => {
        const hasArrived = agent.isConnected && agent.connectionNumber === known.number;
        if (hasArrived) this.receive(agent, messageType, data as unknown as Request);
      });
    return 'sent';
  }

  private receive(agent: SimulatedAgent, messageType: string, data: Request): void {
    if (messageType === queryType && data.module !== 'status') {
      this.answer(agent, 'rpc_error_message', {
        transaction_id: data.transaction_id,
        id: 'any',
        description: `unknown module: ${data.module}`,
      });
      return;
    }
    if (messageType === queryType) {
      this.answer(agent, 'rpc_blocking_response', {
        transaction_id: data.transaction_id,
        results: {
          transaction_id: data.params.transaction_id,
          ...statusOf(agent, data.params.transaction_id),
        },
      });
      return;
    }
    const provisional = () =>
      this.answer(agent, 'rpc_provisional_response', { transaction_id: data.transaction_id });
    if (agent.spool.has(data.transaction_id)) {
      provisional();
      return;
    }
    const entry: SpoolEntry = {
      runs: 1,
      status: 'running',
      exitcode: this.chance(0.2) ? 1 : 0,
      startedAt: this.time.now,
      process: agent.process,
    };
    agent.spool.set(data.transaction_id, entry);
    // Something quick ends before the provisional response is sent.
    const runMs = this.chance(0.3) ? 0 : this.random() * 90_000;
    if (runMs > 0) provisional();
    this.time.after(runMs, () => {
      if (entry.status !== 'running') return;
      entry.status = 'ended';
      entry.endedAt = this.time.now;
      if (agent.process === entry.process)
        this.answer(agent, 'rpc_non_blocking_response', {
          transaction_id: data.transaction_id,
          results: { exitcode: entry.exitcode, stdout: 'done' },
        });
    });
    if (runMs === 0) this.time.after(0, provisional);
  }

  /** Lost without a connection, and with it. */
  private answer(agent: SimulatedAgent, kind: string, data: Json): void {
    if (!agent.isConnected) return;
    const number = agent.connectionNumber;
    const copies = this.chance(this.weather.doubled) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1)
      this.time.after(1 + this.random() * 50, () => {
        if (agent.connectionNumber !== number || !agent.isConnected) return;
        const messageType = `http://puppetlabs.com/${kind}`;
        this.listener?.message(agent.certname, { id: 'any', messageType, data });
      });
  }
}

interface Request {
  readonly transaction_id: string;
  readonly module: string;
  readonly params: { readonly transaction_id: string };
}

function statusOf(agent: SimulatedAgent, transactionId: string): Record<string, Json> {
  const entry = agent.spool.get(transactionId);
  if (entry === undefined) return unknownBecause('found no results directory');
  switch (entry.status) {
    case 'running':
      return { status: 'running' };
    case 'lost':
      return unknownBecause('task process is not running, but no output is available');
    case 'ended': {
      const status = entry.exitcode === 0 ? 'success' : 'failure';
      return { status, exitcode: entry.exitcode, stdout: 'done' };
    }
    default:
      return entry.status satisfies never;
  }
}

function unknownBecause(msg: string): Record<string, Json> {
  const error = { kind: 'puppetlabs.pxp-agent/execution-error', details: {}, msg };
  return { status: 'unknown', stdout: JSON.stringify({ _error: error }) };
}

interface StoredJob {
  job: Job;
  readonly request: OpenJob['request'];
  readonly actions: Map<string, Action>;
  readonly events: JobEvent[];
}

/** A store in memory that keeps what a database would: copies, without what is not stored. */
export class SimulatedStore {
  readonly jobs = new Map<number, StoredJob>();
  private hold = 0;

  /** @param gate - as for the link */
  view(gate: <T>(act: () => T) => Promise<T>): RunnerStore {
    return {
      takeHold: () =>
        gate(() => {
          this.hold += 1;
          return this.hold;
        }),
      add: (order) => gate(() => this.add(order)),
      openJobs: () => gate(() => this.openJobs()),
      save: (hold, changes) => gate(() => this.save(hold, changes)),
      outputOffsets: () => gate(() => noOutput),
    };
  }

  private add({ createdAt, definition, levels, request }: JobOrder) {
    const id = this.jobs.size + 1;
    const actions = levels.flatMap((names, level) => names.map((name) => newAction(name, level)));
    this.jobs.set(id, {
      job: { id, definition, statuses: newStatuses(createdAt) },
      request,
      actions: new Map(actions.map((action) => [action.certname, action])),
      events: [],
    });
    return { id, isNew: true };
  }

  private openJobs(): readonly OpenJob[] {
    return [...this.jobs.values()]
      .filter(({ job }) => !isJobOver(stateOf(job)))
      .map(({ actions, job, request }) => {
        const all = [...actions.values()];
        const counted = nodeStates.map(
          (state) => [state, all.filter((each) => each.state === state).length] as const,
        );
        return structuredClone({
          job,
          request,
          actions: all.filter(({ state }) => !hasEnded(state)),
          counts: Object.fromEntries(counted) as OpenJob['counts'],
        });
      });
  }

  private save(hold: number, changes: readonly JobChange[]): void {
    if (hold !== this.hold) throw new ServiceError('conflict', 'not the holder');
    for (const { actions, events, job } of structuredClone(changes)) {
      const stored = this.jobs.get(job.id);
      if (stored === undefined) throw new Error('no such job');
      stored.job = job;
      for (const action of actions) stored.actions.set(action.certname, { ...action, watch: {} });
      stored.events.push(...events);
    }
  }
}
