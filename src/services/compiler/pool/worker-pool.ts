/** The compile workers and the queue before them. */

import { ServiceError } from '../../../lib/service-error.ts';
import { ImageMaker } from '../../../platform/ruby/index.ts';
import type {
  Answer,
  CompileJob,
  EnvironmentSource,
  FromWorker,
  KeptCatalog,
  Question,
} from '../worker-protocol.ts';
import { collectBetweenCompiles } from './collect-between-compiles.ts';
import type { PoolOptions } from './pool-options.ts';
import { type Task, TaskQueue } from './task-queue.ts';
import { WorkerSlot } from './worker-slot.ts';

export type Compiled = Extract<FromWorker, { kind: 'compiled' }>;

export interface PoolCompiled extends Compiled {
  /** What is kept of the catalog; `undefined` when that was not asked for, or the worker ended meanwhile. */
  readonly kept: Promise<KeptCatalog | undefined>;
}

/** Weight of the latest compile in the mean: about the last twenty count. */
const meanWeight = 0.1;
/** The assumed duration of a compile before the first has been measured. */
const assumedCompileMs = 100;

export class WorkerPool {
  private readonly options: PoolOptions;
  private readonly images = new ImageMaker();
  private readonly slots: WorkerSlot[] = [];
  private readonly queue = new TaskQueue();
  private nextId = 1;
  private meanMs = assumedCompileMs;
  private hasMeasured = false;

  constructor(options: PoolOptions) {
    this.options = options;
    collectBetweenCompiles();
    this.addSlot();
  }

  get busy(): number {
    return this.slots.filter((slot) => slot.isBusy).length;
  }
  get queued(): number {
    return this.queue.length;
  }
  get rubies(): number {
    return this.slots.reduce((sum, slot) => sum + slot.rubies, 0);
  }
  /** How many workers there may be. */
  get limit(): number {
    return this.options.workers;
  }
  /** How long a worker has lately been busy with one compile. */
  get meanCompileMs(): number {
    return this.meanMs;
  }
  /** What compiles take on other servers: assumed until one has been measured here. */
  expectCompileMs(durationMs: number): void {
    if (!this.hasMeasured) this.meanMs = durationMs;
  }
  /** How many workers there are; more are started, up to the limit, when all are busy. */
  get size(): number {
    return this.slots.length;
  }

  /**
   * @throws ServiceError `compile-failed` with Puppet's message when the code is at fault, `unavailable` when too
   * many wait already
   * @param signal - when it is aborted while the request still waits, nothing is compiled
   */
  async compile(source: EnvironmentSource, job: CompileJob, signal?: AbortSignal): Promise<PoolCompiled> {
    if (this.queue.length >= this.options.maxQueued)
      throw new ServiceError('unavailable', 'The maximum number of queued catalog requests has been reached');
    const message = { kind: 'compile', id: this.takeId(), source, job } as const;
    const { promise: kept, resolve: keep } = Promise.withResolvers<KeptCatalog | undefined>();
    const answer = await this.enqueue({ message, what: `catalog of ${job.certname}`, keep }, signal);
    if (answer.kind === 'compiled') return { ...answer, kept };
    throw failureOf(answer);
  }

  /**
   * Compiles, and answers a question instead of giving the catalog.
   *
   * @throws ServiceError as `compile` does
   */
  async ask(
    source: EnvironmentSource,
    job: CompileJob,
    question: Question,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const message = { kind: 'ask', id: this.takeId(), source, job, question } as const;
    const answer = await this.enqueue({ message, what: `catalog of ${job.certname}` }, signal);
    if (answer.kind === 'answered') return answer.answer;
    throw failureOf(answer);
  }

  /** Lets every worker load an environment, as far as each gets to it within the time. */
  async warm(source: EnvironmentSource, patienceMs: number): Promise<void> {
    const tasks = this.slots.map((slot) => this.warmSlot(slot, source));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    // A worker that can't be warmed says so when it compiles.
    await Promise.race([Promise.allSettled(tasks), patience]);
    clearTimeout(timer);
  }

  /** No compile needs this environment version any more. */
  forget(key: string): void {
    for (const slot of this.slots) slot.forget(key);
  }

  /** Ends all workers at once; running compiles fail. */
  async close(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.terminate()));
    const closed = new ServiceError('unavailable', 'The server is shutting down');
    this.queue.rejectAll(closed);
    for (const slot of this.slots) slot.rejectTask(closed);
  }

  private takeId(): number {
    this.nextId += 1;
    return this.nextId;
  }

  private enqueue(task: Omit<Task, 'resolve' | 'reject'>, signal?: AbortSignal): Promise<FromWorker> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.queue.push({ ...task, resolve, reject }, signal);
      this.assign();
    });
  }

  /** A warm-up goes to one certain worker, and only when it is idle: compiles come first. */
  private warmSlot(slot: WorkerSlot, source: EnvironmentSource): Promise<unknown> {
    if (!slot.isFree) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const message = { kind: 'warm', id: this.takeId(), source } as const;
      slot.give({ message, what: `environment ${source.config.name}`, resolve, reject });
    });
  }

  private assign(): void {
    for (const slot of this.slots) {
      if (!slot.isFree) continue;
      const task = this.queue.shift();
      if (task === undefined) return;
      slot.give(task);
    }
    // A worker costs some 20 MB and its start a tenth of a second: the first that must wait pays for it, once.
    while (this.queue.length > 0 && this.slots.length < this.options.workers) {
      const task = this.queue.shift();
      if (task !== undefined) this.addSlot().give(task);
    }
  }

  private addSlot(): WorkerSlot {
    const slot = new WorkerSlot(this.options, this.images, {
      onFree: () => this.assign(),
      onCompileEnd: ({ job, kind }, durationMs) => {
        this.meanMs += meanWeight * (durationMs - this.meanMs);
        this.hasMeasured = true;
        if (kind === 'compile') this.options.onCompiled?.(job.certname, durationMs);
      },
    });
    this.slots.push(slot);
    return slot;
  }
}

function failureOf(answer: FromWorker): Error {
  if (answer.kind === 'refused')
    return new ServiceError('compile-failed', answer.message, { details: { logs: answer.logs } });
  if (answer.kind === 'crashed') return bugOf(answer);
  return new Error(`unexpected answer of a compile worker: ${answer.kind}`);
}

function bugOf(answer: Extract<FromWorker, { kind: 'crashed' }>): Error {
  const error = new Error(answer.message);
  if (answer.stack !== undefined) error.stack = answer.stack;
  return error;
}
