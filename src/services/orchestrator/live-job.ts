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
  /** Nodes that wait for their turn, in order, by level. */
  private readonly waiting = new Map<number, Set<string>>();
  /** How many nodes of each level have not ended. */
  private readonly unfinished = new Map<number, number>();
  /** The first level with unfinished nodes; after the last level when there are none. */
  private level = 0;
  private lastLevel = 0;
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
      this.unfinished.set(action.level, (this.unfinished.get(action.level) ?? 0) + 1);
      this.lastLevel = Math.max(this.lastLevel, action.level);
      if (action.state === 'new') addTo(this.waiting, action.level, action.certname);
    }
    this.passEndedLevels();
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

  /** Nodes that wait, and may begin as far as the order of the nodes is concerned. */
  get nodesInTurn(): Iterable<string> {
    return this.waiting.get(this.level) ?? [];
  }

  get nodesWaiting(): readonly string[] {
    return [...this.waiting.values()].flatMap((names) => [...names]);
  }

  /** Whether nodes of earlier levels have not ended. */
  mustWait({ level }: Action): boolean {
    return level > this.level;
  }

  /** @returns the nodes that may begin now, because the levels before have ended */
  openLevel(): readonly string[] {
    return this.passEndedLevels() ? [...this.nodesInTurn] : [];
  }

  /** @returns why nothing more may begin; `undefined` while something may */
  get heldBackBecause(): string | undefined {
    const failures = this.counts.failed + this.counts.errored;
    const { mostFailures = Number.POSITIVE_INFINITY } = this.definition;
    if (failures <= mostFailures) return undefined;
    return `not started because ${failures} ${failures === 1 ? 'node' : 'nodes'} failed`;
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
    if (after.state !== 'new') this.waiting.get(after.level)?.delete(certname);
    if (hasEnded(after.state)) this.forget(after);
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
  stop(author: Author, now: number, isForced: boolean): boolean {
    const how = isForced ? 'stopped by force' : 'stopped';
    const isNews = this.halt(`Job ${this.id} was ${how} by ${author.name}`, now);
    if (!isNews && (this.isOver || !isForced)) return false;
    this.recorded.push(jobStopped(this.id, this.definition, author, new Date(now)));
    return true;
  }

  /** Lets nothing more begin. @returns whether there was anything to stop */
  halt(message: string, now: number): boolean {
    if (this.isOver || this.state === 'stopping') return false;
    this.become(enter(this.job, 'stopping', now));
    this.events.push({ type: 'job_aborted', at: now, message });
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

  private forget({ certname, level }: Action): void {
    this.open.delete(certname);
    this.unfinished.set(level, (this.unfinished.get(level) ?? 0) - 1);
  }

  /** @returns whether there were any */
  private passEndedLevels(): boolean {
    const before = this.level;
    while (this.level <= this.lastLevel && (this.unfinished.get(this.level) ?? 0) === 0) this.level += 1;
    return this.level > before;
  }

  private get ending(): string {
    return this.state === 'stopped' ? 'been stopped' : this.state;
  }

  private become(job: Job): void {
    if (job !== this.job) this.isJobChanged = true;
    this.job = job;
  }
}

function addTo(sets: Map<number, Set<string>>, key: number, value: string): void {
  const found = sets.get(key);
  if (found === undefined) sets.set(key, new Set([value]));
  else found.add(value);
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
