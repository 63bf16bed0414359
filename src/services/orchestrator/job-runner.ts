/**
 * Carries jobs on: takes in what happens, asks the machines what follows, saves it, and only then does it.
 *
 * Whatever is interrupted between two of these steps is found in the store at the next start: an action with a transaction id may
 * have been sent or not, and its agent is asked.
 */

import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Author } from '../../platform/changes/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type AgentLink, type AgentMessage, type Transport, transportOf } from './agent-link.ts';
import { JobChanges } from './job-changes.ts';
import type { JobChange, JobOrder, OpenJob, RunnerStore } from './job-store.ts';
import {
  type ActionEffect,
  type ActionEvent,
  type ActionPolicy,
  advanceAction,
  newAction,
  type Results,
} from './jobs/action.ts';
import { decodeAnswer, queryType, requestType } from './jobs/agent-answer.ts';
import { chooseNext, type TypeLimits } from './jobs/choose-next.ts';
import { interpret } from './jobs/interpreters.ts';
import { type AgentRequest, isOfPlan, laneOf, newStatuses } from './jobs/job.ts';
import {
  decodeOutput,
  followRequest,
  type OutputOffsets,
  type OutputPiece,
  OutputProgress,
} from './jobs/node-output.ts';
import { nodeStates } from './jobs/states.ts';
import { LiveJob } from './live-job.ts';
import { jobStarted } from './recorded-changes.ts';

export interface JobRunnerOptions {
  readonly store: RunnerStore;
  readonly link: AgentLink;
  /** @returns what the report of a run adds to its result; `undefined` while there is none */
  readonly findReport: (certname: string, transactionUuid: string) => Promise<Results | undefined>;
  readonly policy: ActionPolicy;
  readonly limits: TypeLimits;
  readonly nowMs: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  /** Waits before a save is tried again. */
  readonly pause: () => Promise<void>;
  readonly log: Logger;
}

/** Nodes that were sent their request go on; others cannot begin. */
const unreadable = 'what the job asks for cannot be read: the key that it was stored with is gone';

const interrupted = 'not started because the plan was interrupted by a restart of the orchestrator';

const abandoned: ActionEvent = {
  kind: 'give-up',
  detail: 'the job was stopped by force: what runs on the node goes on, and its end is not known',
};

/** Where a transaction belongs. */
interface Place {
  readonly job: LiveJob;
  readonly certname: string;
  /** What was heard of its output, once it was asked for. */
  output?: OutputProgress;
}

interface PendingEffect {
  readonly job: LiveJob;
  readonly certname: string;
  readonly transport: Transport | undefined;
  readonly effect: ActionEffect;
}

export class JobRunner {
  /** Tells of jobs whose changes are saved. */
  readonly changes = new JobChanges();
  private readonly options: JobRunnerOptions;
  private readonly live = new Map<number, LiveJob>();
  /** Which jobs wait for what a node does. */
  private readonly byNode = new Map<string, Set<LiveJob>>();
  private readonly byTransaction = new Map<string, Place>();
  private effects: PendingEffect[] = [];
  private hold: number | undefined;
  /** When nodes are all back that had a connection before this server started again. */
  private allBackAt = 0;
  private isDirty = false;
  private working: Promise<void> | undefined;
  private endListening: (() => void) | undefined;

  constructor(options: JobRunnerOptions) {
    this.options = options;
  }

  /** Takes up what was interrupted. */
  async start(): Promise<void> {
    const { link, nowMs, policy, store } = this.options;
    this.hold = await store.takeHold();
    // Before the very first start there were none.
    this.allBackAt = this.hold === 1 ? 0 : nowMs() + policy.disconnectedAfterRestartMs;
    for (const open of await store.openJobs()) this.resume(open);
    this.endListening = link.listen({
      message: (certname, message) => this.heard(certname, message),
      connected: (certname) => this.tellJobs(certname, { kind: 'connected' }),
      lost: (certname) => this.tellJobs(certname, { kind: 'lost' }),
    });
    await this.work();
  }

  /** Whether this process carries jobs on. */
  get isRunning(): boolean {
    return this.hold !== undefined;
  }

  /** How many nodes wait for their turn. */
  get queueLength(): number {
    let length = 0;
    for (const job of this.live.values()) length += job.nodeCounts.new;
    return length;
  }

  /** @returns the job's id; that of the earlier job for an order that was sent before */
  async add(order: Omit<JobOrder, 'createdAt' | 'token' | 'change'>, author: Author): Promise<number> {
    const { newId, nowMs, store } = this.options;
    this.requireHold();
    const [createdAt, token] = [nowMs(), newId()];
    const moment = { token, time: new Date(createdAt) };
    const { definition, levels, request } = order;
    const actions = levels.flatMap((names, level) => names.map((name) => newAction(name, level)));
    const change = jobStarted(definition, actions.length, author, moment);
    const { id, isNew } = await store.add({ ...order, createdAt, token, change });
    if (isNew) {
      const none = Object.fromEntries(nodeStates.map((state) => [state, 0])) as OpenJob['counts'];
      const job = { id, definition, statuses: newStatuses(createdAt) };
      this.adopt({ job, request, actions, counts: { ...none, new: actions.length } }, 'begin');
      void this.work();
    }
    return id;
  }

  /**
   * Starts nothing more of a job. What runs goes on; with force it isn't waited for any more, and the job has stopped. Resolves
   * when that is saved.
   */
  async stop(id: number, author: Author, isForced = false): Promise<void> {
    this.requireHold();
    const job = this.live.get(id);
    if (job?.stop(author, this.options.nowMs(), isForced) === true) {
      this.skipWaiting(job, 'the job was stopped');
      if (isForced) for (const { certname } of job.actions) this.apply(job, certname, abandoned);
      this.isDirty = true;
    }
    await this.work();
  }

  /** To be called from time to time: nothing else notices that something does not happen. */
  async tick(): Promise<void> {
    const now = this.options.nowMs();
    for (const job of this.live.values())
      for (const { certname, watch } of job.actions)
        if (watch.wakeAt !== undefined && watch.wakeAt <= now) this.apply(job, certname, { kind: 'tick' });
    await this.work();
  }

  /** Takes in nothing more, and finishes what it has begun to save. */
  async close(): Promise<void> {
    this.endListening?.();
    this.hold = undefined;
    await this.working;
  }

  private resume(open: OpenJob): void {
    const { id, definition } = open.job;
    const { type } = definition;
    // Catalogs are not stored.
    const job = this.adopt(type === 'plan_apply' ? { ...open, request: undefined } : open, 'resume');
    if (!isOfPlan(type)) return;
    job.halt(`Job ${id} was stopped because its plan was interrupted`, this.options.nowMs());
  }

  private adopt(open: OpenJob, event: 'begin' | 'resume'): LiveJob {
    const job = new LiveJob(open);
    this.live.set(job.id, job);
    job.begin(this.options.nowMs());
    for (const certname of job.certnames) {
      const jobs = this.byNode.get(certname);
      if (jobs === undefined) this.byNode.set(certname, new Set([job]));
      else jobs.add(job);
    }
    const obstacle = obstacleOf(job, event);
    for (const { certname, transactionId } of job.actions) {
      if (transactionId !== undefined) this.byTransaction.set(transactionId, { job, certname });
      if (obstacle !== undefined) this.apply(job, certname, { kind: 'skip', detail: obstacle });
      this.apply(job, certname, { kind: event });
    }
    this.isDirty = true;
    return job;
  }

  private heard(certname: string, message: AgentMessage): void {
    const piece = decodeOutput(message);
    if (piece !== undefined) {
      this.wrote(certname, piece);
      return;
    }
    const found = decodeAnswer(message);
    const place = found && this.byTransaction.get(found.transactionId);
    // A node cannot answer for another.
    if (found === undefined || place?.certname !== certname) return;
    this.apply(place.job, certname, { kind: 'answer', answer: found.answer });
    void this.work();
  }

  private wrote(certname: string, piece: OutputPiece): void {
    const place = this.byTransaction.get(piece.transactionId);
    const fresh = place?.certname === certname ? place.output?.take(piece) : undefined;
    if (place === undefined || fresh === undefined) return;
    place.job.write(certname, fresh, this.options.nowMs());
    // It is at work, whatever else is heard of it.
    this.apply(place.job, certname, { kind: 'answer', answer: { kind: 'running' } });
    void this.work();
  }

  private tellJobs(certname: string, event: ActionEvent): void {
    const jobs = this.byNode.get(certname);
    if (jobs === undefined) return;
    for (const job of jobs) this.apply(job, certname, event);
    void this.work();
  }

  private apply(job: LiveJob, certname: string, event: ActionEvent): void {
    const { link, newId, nowMs, policy } = this.options;
    const action = job.find(certname);
    // Connections of a node are ignored until its level begins.
    if (action === undefined || (job.mustWait(action) && event.kind !== 'skip')) return;
    const now = nowMs();
    const connection = link.connection(certname, action.transport);
    const step = advanceAction(action, event, {
      now,
      isConnected: connection !== undefined,
      ...(connection === undefined ? {} : { transport: transportOf(connection) }),
      expectedUntil: Math.max(this.allBackAt, link.expectedUntil(certname, action.transport)?.getTime() ?? 0),
      freshId: newId,
      policy,
      interpret: (results, known) => interpret(job.definition.type, results, known),
      // Puppet runs write to a log of their own.
      isFollowed: job.definition.type !== 'deploy',
    });
    job.replace(action, step.action, now);
    this.isDirty = true;
    const { transactionId, transport } = step.action;
    for (const effect of step.effects) this.effects.push({ job, certname, transport, effect });
    if (transactionId !== undefined && action.transactionId === undefined)
      this.byTransaction.set(transactionId, { job, certname });
    if (job.find(certname) === undefined) this.forgetNode(job, certname, transactionId);
  }

  private forgetNode(job: LiveJob, certname: string, transactionId: string | undefined): void {
    if (transactionId !== undefined) this.byTransaction.delete(transactionId);
    const jobs = this.byNode.get(certname);
    jobs?.delete(job);
    if (jobs?.size === 0) this.byNode.delete(certname);
  }

  /** One at a time: what comes while something is saved waits for the next round. */
  private async work(): Promise<void> {
    this.working ??= this.rounds().finally(() => {
      this.working = undefined;
    });
    await this.working;
  }

  private async rounds(): Promise<void> {
    // What was applied in the same turn of the event loop is saved together.
    await Promise.resolve();
    while (this.isDirty && this.hold !== undefined) {
      this.isDirty = false;
      for (const job of this.live.values()) this.moveOn(job);
      this.grantTurns();
      const changes = this.takeChanges();
      const { effects } = this;
      this.effects = [];
      if (changes.length > 0 && !(await this.save(this.hold, changes))) return;
      for (const effect of effects) void this.carryOut(effect);
    }
  }

  /** Lets the next level of a job begin, or ends the job early. */
  private moveOn(job: LiveJob): void {
    const detail = job.heldBackBecause;
    if (detail !== undefined) this.skipWaiting(job, detail);
    for (const certname of job.openLevel()) this.apply(job, certname, { kind: 'begin' });
  }

  private skipWaiting(job: LiveJob, detail: string): void {
    for (const certname of job.nodesWaiting) this.apply(job, certname, { kind: 'skip', detail });
  }

  private grantTurns(): void {
    const jobs = [...this.live.values()].filter(({ state }) => state !== 'stopping');
    const isConnected = (certname: string) => this.options.link.connection(certname) !== undefined;
    const contenders = [...this.live.values()].map((job) => ({
      id: job.id,
      lane: laneOf(job.definition.type),
      ...(job.definition.concurrency === undefined ? {} : { concurrency: job.definition.concurrency }),
      atWork: job.atWork,
      waiting: jobs.includes(job) ? connectedOf(job.nodesInTurn, isConnected) : [],
    }));
    const chosen = chooseNext(contenders, this.options.limits, this.nodesInRuns());
    for (const { certname, id } of chosen) {
      const job = this.live.get(id);
      if (job !== undefined) this.apply(job, certname, { kind: 'grant' });
    }
    this.isDirty = false;
  }

  private nodesInRuns(): ReadonlySet<string> {
    const busy = new Set<string>();
    for (const { certname, job } of this.byTransaction.values())
      if (job.definition.type === 'deploy') busy.add(certname);
    return busy;
  }

  private takeChanges(): readonly JobChange[] {
    const now = this.options.nowMs();
    const changes: JobChange[] = [];
    for (const job of this.live.values()) {
      job.settle(now);
      const change = job.takeChange();
      if (change !== undefined) changes.push(change);
      if (job.isOver) this.live.delete(job.id);
    }
    return changes;
  }

  /** @returns whether it is saved; otherwise this process carries jobs on no more */
  private async save(hold: number, changes: readonly JobChange[]): Promise<boolean> {
    const { log, pause, store } = this.options;
    while (this.hold === hold)
      try {
        await store.save(hold, changes);
        for (const { job } of changes) this.changes.tell(job.id);
        return true;
      } catch (err) {
        if (!(err instanceof ServiceError)) throw err;
        if (err.reason === 'conflict') {
          log.error({ err, hold }, 'another process carries the jobs on');
          this.hold = undefined;
          return false;
        }
        log.warn({ err }, 'what became of jobs could not be saved, trying again');
        await pause();
      }
    return false;
  }

  private async carryOut(pending: PendingEffect): Promise<void> {
    const { certname, effect, job } = pending;
    try {
      const event = await this.happened(pending);
      if (this.hold === undefined || event === undefined) return;
      this.apply(job, certname, event);
      void this.work();
    } catch (err) {
      // It may have happened or not: the agent will be asked, and reports are looked for again.
      this.options.log.warn({ err, certname, job: job.id, effect: effect.kind }, 'a step of a job failed');
    }
  }

  private async happened({
    certname,
    effect,
    job,
    transport,
  }: PendingEffect): Promise<ActionEvent | undefined> {
    const { findReport, link, newId } = this.options;
    const send = (type: string, data: Json) => link.send(certname, type, data, transport);
    switch (effect.kind) {
      case 'request': {
        if (job.request === undefined) return undefined;
        const data = {
          transaction_id: effect.transactionId,
          notify_outcome: true,
          ...requestOf(job, job.request, certname),
        };
        const outcome = await send(requestType, data);
        return { kind: outcome === 'sent' ? 'sent' : 'not-sent' };
      }
      case 'query': {
        const params = { transaction_id: effect.transactionId };
        const data = { transaction_id: effect.queryId, module: 'status', action: 'query', params };
        await send(queryType, data);
        return undefined;
      }
      case 'follow': {
        const known = await this.followed(job, certname, effect.transactionId);
        if (known === undefined) return undefined;
        await send(queryType, followRequest(effect.transactionId, newId(), known));
        return undefined;
      }
      case 'find-report':
        return { kind: 'report', report: await findReport(certname, effect.transactionUuid) };
      default:
        return effect satisfies never;
    }
  }

  /** How much of its output is known. @returns `undefined` when it has ended */
  private async followed(
    job: LiveJob,
    certname: string,
    transactionId: string,
  ): Promise<OutputOffsets | undefined> {
    const place = this.byTransaction.get(transactionId);
    if (place === undefined) return undefined;
    // Before a restart there may have been some.
    place.output ??= new OutputProgress(await this.options.store.outputOffsets(job.id, certname));
    return place.output.offsets;
  }

  private requireHold(): void {
    if (this.hold === undefined)
      throw new ServiceError('unavailable', 'The orchestrator does not carry jobs on in this process');
  }
}

/** Why nodes of a job cannot begin; `undefined` where they can. */
function obstacleOf({ definition, request }: LiveJob, event: 'begin' | 'resume'): string | undefined {
  if (event === 'resume' && isOfPlan(definition.type)) return interrupted;
  return request === undefined ? unreadable : undefined;
}

/** Puppet runs name their job in the report. */
function requestOf(
  { definition, id }: LiveJob,
  request: AgentRequest,
  certname: string,
): Pick<AgentRequest, 'action' | 'module' | 'params'> {
  const { action, module, params, perNode } = request;
  const own = definition.type === 'deploy' ? { job: String(id) } : perNode?.(certname);
  return { module, action, params: { ...params, ...own } };
}

function* connectedOf(certnames: Iterable<string>, isConnected: (certname: string) => boolean) {
  for (const certname of certnames) if (isConnected(certname)) yield certname;
}
