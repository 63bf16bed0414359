/** A job that has not ended, as it is in memory: its nodes that have not ended, and what changed since the last save. */

import type { Author, Change } from '../../platform/changes/index.ts';
import type { JobChange, OpenJob } from './job-store.ts';
import type { Action } from './jobs/action.ts';
import { type AgentRequest, enter, follow, type Job, type NodeCounts, stateOf } from './jobs/job.ts';
import { eventOf, type JobEvent } from './jobs/job-event.ts';
import type { OutputPiece } from './jobs/node-output.ts';
import { hasEnded, isJobOver, type NodeState } from './jobs/states.ts';
import { jobStopped } from './recorded-changes.ts';

export class LiveJob {
  private job: Job;
  readonly request: AgentRequest | undefined;
  private readonly open = new Map<string, Action>();
  private readonly counts: Record<NodeState, number>;
  /** Nodes that wait for their turn, in order. */
  private readonly waiting = new Set<string>();
  private isJobChanged = false;
  private readonly changed = new Map<string, Action>();
  private events: JobEvent[] = [];
  private recorded: Change[] = [];

  constructor({ actions, counts, job, request }: OpenJob) {
    this.job = job;
    this.request = request;
    this.counts = { ...counts };
    for (const action of actions) {
      this.open.set(action.certname, action);
      if (action.state === 'new') this.waiting.add(action.certname);
    }
  }

  get id(): number {
    return this.job.id;
  }

  get definition(): Job['definition'] {
    return this.job.definition;
  }

  get state(): ReturnType<typeof stateOf> {
    return stateOf(this.job);
  }

  get isOver(): boolean {
    return isJobOver(this.state);
  }

  get nodeCounts(): NodeCounts {
    return this.counts;
  }

  /** How many nodes were sent a request and have not ended. */
  get atWork(): number {
    return this.counts.ready + this.counts.running;
  }

  get certnames(): Iterable<string> {
    return this.open.keys();
  }

  get actions(): Iterable<Action> {
    return this.open.values();
  }

  get nodesWaiting(): Iterable<string> {
    return this.waiting;
  }

  /** @returns `undefined` for a node that has ended or is none of the job's */
  find(certname: string): Action | undefined {
    return this.open.get(certname);
  }

  replace(before: Action, after: Action, now: number): void {
    if (before === after) return;
    const { certname } = after;
    this.counts[before.state] -= 1;
    this.counts[after.state] += 1;
    if (after.state !== 'new') this.waiting.delete(certname);
    if (hasEnded(after.state)) this.open.delete(certname);
    else this.open.set(certname, after);
    if (isSameRow(before, after)) return;
    this.changed.set(certname, after);
    const event = eventOf(before, after, this.definition, now);
    if (event !== undefined) this.events.push(event);
  }

  /** What a node has written. */
  write(certname: string, { offset, stream, text }: OutputPiece, now: number): void {
    const output = { offset, stream };
    this.events.push({ type: 'node_output', at: now, certname, message: text, output });
  }

  begin(now: number): void {
    if (this.state === 'new') this.become(enter(this.job, 'ready', now));
  }

  /** @returns whether there was anything to stop */
  stop(author: Author, now: number): boolean {
    if (this.isOver || this.state === 'stopping') return false;
    this.become(enter(this.job, 'stopping', now));
    this.events.push({
      type: 'job_aborted',
      at: now,
      message: `Job ${this.id} was stopped by ${author.name}`,
    });
    this.recorded.push(jobStopped(this.id, this.definition, author, new Date(now)));
    return true;
  }

  /** Brings the job's state up to that of its nodes. */
  settle(now: number): void {
    const wasOver = this.isOver;
    this.become(follow(this.job, this.counts, now));
    // Clients wait for this one, or for `job_aborted`, to know that no more will come.
    if (!wasOver && this.isOver)
      this.events.push({ type: 'job_finished', at: now, message: `Job ${this.id} has ${this.ending}` });
  }

  /** @returns what is to be saved, and forgets that it is; `undefined` when there is nothing */
  takeChange(): JobChange | undefined {
    if (!this.isJobChanged && this.changed.size === 0 && this.events.length === 0) return undefined;
    const { events, recorded } = this;
    const change = { job: this.job, actions: [...this.changed.values()], events, recorded };
    this.isJobChanged = false;
    this.changed.clear();
    this.events = [];
    this.recorded = [];
    return change;
  }

  private get ending(): string {
    return this.state === 'stopped' ? 'been stopped' : this.state;
  }

  private become(job: Job): void {
    if (job !== this.job) this.isJobChanged = true;
    this.job = job;
  }
}

/** Whether the table has nothing new of it. */
function isSameRow(before: Action, after: Action): boolean {
  return (
    before.state === after.state &&
    before.transactionId === after.transactionId &&
    before.deliveries === after.deliveries &&
    before.isAcknowledged === after.isAcknowledged &&
    before.pending === after.pending
  );
}
