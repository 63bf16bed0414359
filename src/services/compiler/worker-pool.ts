/** The compile workers, the queue before them, and the watchdog that replaces those that hang or die. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  DEFAULT_MEMORY_BYTES,
  DEFAULT_TIMEOUT_SECONDS,
  ImageMaker,
  rubyChoice,
} from '../../platform/ruby/index.ts';
import { collectBetweenCompiles } from './collect-between-compiles.ts';
import { hardLimitMiB } from './heap-limit.ts';
import { connectPuppetDb } from './puppetdb-link.ts';
import { isRubyMessage, RubyWatch } from './ruby-watch.ts';
import type { PuppetDbTerminus } from './termini.ts';
import { WorkerHeapGuard } from './worker-heap-guard.ts';
import type {
  Answer,
  CompileJob,
  CompileWorkerData,
  EnvironmentSource,
  FromWorker,
  KeptCatalog,
  Question,
  ToWorker,
} from './worker-protocol.ts';

export interface PoolOptions {
  /** At most; one is started at once, others when they are needed. */
  readonly workers: number;
  /** The file of the worker thread: differs between sources and bundle. */
  readonly workerUrl: URL;
  /** A compile that takes longer is ended together with its worker. */
  readonly timeoutMs: number;
  /** Requests that may wait for a worker; more are refused, so that agents try again later. */
  readonly maxQueued: number;
  /** The heap of one worker, in MiB. */
  readonly maxHeapMiB: number;
  /** Which Ruby runs code of modules: the setting `ruby`; `auto` when absent. */
  readonly ruby?: string;
  /** How long code in Ruby may run at a stretch; 30 seconds when absent. */
  readonly rubyTimeoutSeconds?: number;
  /** What one Ruby may have; 1 GiB when absent. */
  readonly rubyMemoryBytes?: number;
  /** Absent where code is compiled without a PuppetDB. */
  readonly puppetDb?: PuppetDbTerminus;
  readonly log: Logger;
}

export type Compiled = Extract<FromWorker, { kind: 'compiled' }>;

export interface PoolCompiled extends Compiled {
  /** What is kept of the catalog; `undefined` when that was not asked for, or the worker ended meanwhile. */
  readonly kept: Promise<KeptCatalog | undefined>;
}

interface Task {
  readonly message: Extract<ToWorker, { kind: 'compile' | 'ask' | 'warm' }>;
  readonly what: string;
  readonly resolve: (answer: FromWorker) => void;
  readonly reject: (error: Error) => void;
  /** Told what is kept of the catalog, once it has been compiled. */
  readonly keep: ((catalog: KeptCatalog | undefined) => void) | undefined;
}

/** Before a worker that died before its first answer is started again: it would most likely die again. */
const restartDelayMs = 1000;

/** What a thread gets to take note that its Ruby has ended, which it has been waiting for. */
const reapMs = 500;

/** Weight of the latest compile in the mean: about the last twenty count. */
const meanWeight = 0.1;
/** What a compile is taken to need before the first has been measured. */
const assumedCompileMs = 100;

interface Slot {
  worker: Worker;
  readonly ruby: RubyWatch;
  hasAnswered: boolean;
  /** False between the death of a worker and the start of the next. */
  isAlive: boolean;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
  beganMs: number;
  heap: WorkerHeapGuard | undefined;
  /** Compile -> who waits for what is kept of it. */
  readonly keeping: Map<number, (catalog: KeptCatalog | undefined) => void>;
}

export class WorkerPool {
  private readonly options: PoolOptions;
  private readonly images = new ImageMaker();
  private readonly slots: Slot[] = [];
  private readonly queue: Task[] = [];
  private nextId = 1;
  private meanMs = assumedCompileMs;
  private isClosed = false;

  constructor(options: PoolOptions) {
    this.options = options;
    collectBetweenCompiles();
    this.addSlot();
  }

  get busy(): number {
    return this.slots.filter((slot) => slot.task !== undefined).length;
  }
  get queued(): number {
    return this.queue.length;
  }
  get rubies(): number {
    return this.slots.reduce((sum, slot) => sum + slot.ruby.count, 0);
  }
  /** How many workers there may be. */
  get limit(): number {
    return this.options.workers;
  }
  /** How long a worker has lately been busy with one compile. */
  get meanCompileMs(): number {
    return this.meanMs;
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
    const answer = await this.enqueue(message, `catalog of ${job.certname}`, signal, keep);
    if (answer.kind === 'compiled') return { ...answer, kept };
    throw failureOf(answer);
  }

  /**
   * Compiles, and answers a question instead of giving the catalog.
   *
   * @throws ServiceError as `compile` does
   */
  async ask(source: EnvironmentSource, job: CompileJob, question: Question): Promise<Answer> {
    const message = { kind: 'ask', id: this.takeId(), source, job, question } as const;
    const answer = await this.enqueue(message, `catalog of ${job.certname}`);
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
    for (const slot of this.slots) slot.worker.postMessage({ kind: 'forget', key } satisfies ToWorker);
  }

  /** Ends all workers at once; running compiles fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const slot of this.slots) {
      clearTimeout(slot.timer);
      slot.ruby.endAll();
    }
    await Promise.all(this.slots.map((slot) => slot.worker.terminate()));
    const closed = new ServiceError('unavailable', 'The server is shutting down');
    for (const task of this.queue.splice(0)) task.reject(closed);
    for (const slot of this.slots) {
      slot.task?.reject(closed);
      giveUpKeeping(slot);
    }
  }

  private takeId(): number {
    this.nextId += 1;
    return this.nextId;
  }

  private enqueue(
    message: Task['message'],
    what: string,
    signal?: AbortSignal,
    keep?: Task['keep'],
  ): Promise<FromWorker> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const task = { message, what, resolve, reject, keep };
      this.queue.push(task);
      signal?.addEventListener('abort', () => this.withdraw(task, signal.reason), { once: true });
      this.assign();
    });
  }

  /** Nobody waits for the answer any more: those behind must not either. */
  private withdraw(task: Task, reason: unknown): void {
    const index = this.queue.indexOf(task);
    if (index < 0) return;
    this.queue.splice(index, 1);
    task.reject(reason instanceof Error ? reason : new Error('The request was withdrawn', { cause: reason }));
  }

  /** A warm-up goes to one certain worker, and only when it is idle: compiles come first. */
  private warmSlot(slot: Slot, source: EnvironmentSource): Promise<unknown> {
    if (slot.task !== undefined || !slot.isAlive) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const message = { kind: 'warm', id: this.takeId(), source } as const;
      this.give(slot, {
        message,
        what: `environment ${source.config.name}`,
        resolve,
        reject,
        keep: undefined,
      });
    });
  }

  private assign(): void {
    for (const slot of this.slots) {
      if (slot.task !== undefined || !slot.isAlive) continue;
      const task = this.queue.shift();
      if (task === undefined) return;
      this.give(slot, task);
    }
    // A worker costs some 20 MB and its start a tenth of a second: the first that must wait pays for it, once.
    while (this.queue.length > 0 && this.slots.length < this.options.workers) {
      const task = this.queue.shift();
      if (task !== undefined) this.give(this.addSlot(), task);
    }
  }

  private addSlot(): Slot {
    const slot: Slot = {
      worker: this.startWorker(),
      ruby: new RubyWatch(this.options.log),
      hasAnswered: false,
      isAlive: true,
      task: undefined,
      timer: undefined,
      beganMs: 0,
      heap: undefined,
      keeping: new Map(),
    };
    this.attach(slot);
    this.slots.push(slot);
    return slot;
  }

  private give(slot: Slot, task: Task): void {
    slot.task = task;
    slot.beganMs = performance.now();
    slot.timer = setTimeout(() => this.endHung(slot), this.options.timeoutMs);
    slot.heap = new WorkerHeapGuard(slot.worker, this.options.maxHeapMiB, () => this.endGreedy(slot));
    slot.worker.postMessage(task.message);
  }

  private finish(slot: Slot): Task | undefined {
    const { task } = slot;
    clearTimeout(slot.timer);
    slot.heap?.stop();
    slot.task = undefined;
    if (task !== undefined && task.message.kind !== 'warm')
      this.meanMs += meanWeight * (performance.now() - slot.beganMs - this.meanMs);
    return task;
  }

  private endHung(slot: Slot): void {
    const seconds = Math.round(this.options.timeoutMs / 1000);
    const task = this.finish(slot);
    this.replace(slot);
    task?.reject(
      new ServiceError('compile-failed', `Compiling the ${task.what} took longer than ${seconds} seconds`),
    );
  }

  private endGreedy(slot: Slot): void {
    const { maxHeapMiB, log } = this.options;
    const task = this.finish(slot);
    log.error({ task: task?.what, maxHeapMiB }, 'compile needs too much memory, replacing its worker');
    this.replace(slot, true);
    const message = `Compiling the ${task?.what ?? ''} needs more than ${maxHeapMiB} MiB of memory`;
    task?.reject(new ServiceError('compile-failed', message));
  }

  private replace(slot: Slot, isUrgent = false): void {
    const old = slot.worker;
    giveUpKeeping(slot);
    const hadRuby = slot.ruby.count > 0;
    slot.ruby.endAll();
    old.removeAllListeners();
    old.on('error', () => {});
    // Only the thread that started a process can wait for it: without the chance to, it would stay a zombie.
    if (hadRuby && !isUrgent) setTimeout(() => void old.terminate(), reapMs);
    else void old.terminate();
    slot.isAlive = false;
    const start = () => {
      if (this.isClosed) return;
      slot.worker = this.startWorker();
      slot.isAlive = true;
      slot.hasAnswered = false;
      this.attach(slot);
      this.assign();
    };
    if (slot.hasAnswered) start();
    else setTimeout(start, restartDelayMs).unref();
  }

  private attach(slot: Slot): void {
    slot.worker.on('message', (answer: FromWorker) => {
      if (isRubyMessage(answer)) {
        slot.ruby.handle(answer);
        return;
      }
      if (answer.kind === 'kept' || answer.kind === 'not-kept') {
        this.handleKept(slot, answer);
        return;
      }
      if (slot.task?.message.id !== answer.id) return;
      slot.hasAnswered = true;
      if (answer.kind === 'compiled') this.awaitKept(slot);
      this.finish(slot)?.resolve(answer);
      this.assign();
    });
    slot.worker.on('error', (error) => this.handleDeath(slot, error));
    slot.worker.on('exit', () => this.handleDeath(slot, new Error('the thread ended')));
  }

  private awaitKept({ keeping, task }: Slot): void {
    if (task?.keep === undefined || task.message.kind !== 'compile') return;
    if (task.message.job.keeping === undefined) task.keep(undefined);
    else keeping.set(task.message.id, task.keep);
  }

  private handleKept(slot: Slot, answer: Extract<FromWorker, { kind: 'kept' | 'not-kept' }>): void {
    if (answer.kind === 'not-kept')
      this.options.log.error({ reason: answer.reason }, 'catalog could not be made ready to be kept');
    slot.keeping.get(answer.id)?.(answer.kind === 'kept' ? answer.catalog : undefined);
    slot.keeping.delete(answer.id);
  }

  private handleDeath(slot: Slot, error: Error): void {
    if (this.isClosed) return;
    const task = this.finish(slot);
    this.options.log.error({ err: error, task: task?.what }, 'compile worker died, replacing it');
    this.replace(slot);
    const message = `A compile worker died of: ${error.message}`;
    task?.reject(new ServiceError('compile-failed', message, { cause: error }));
  }

  private startWorker(): Worker {
    const { commands, allowsBuiltIn } = rubyChoice(this.options.ruby ?? 'auto');
    const images = allowsBuiltIn ? this.images.connect() : undefined;
    const { rubyMemoryBytes = DEFAULT_MEMORY_BYTES, rubyTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS } =
      this.options;
    const puppetDb = this.options.puppetDb && connectPuppetDb(this.options.puppetDb);
    const data: CompileWorkerData = {
      rubyCommands: commands,
      rubyMemoryBytes,
      rubyTimeoutSeconds,
      images,
      puppetDb,
    };
    return new Worker(this.options.workerUrl, {
      name: 'compile',
      workerData: data,
      transferList: [images, puppetDb].flatMap((link) => (link === undefined ? [] : [link.port])),
      resourceLimits: {
        // Left to itself it grows to 130 MiB and more, and nothing gets faster.
        maxYoungGenerationSizeMb: 24,
        maxOldGenerationSizeMb: hardLimitMiB(this.options.maxHeapMiB),
        stackSizeMb: 8,
      },
    });
  }
}

function giveUpKeeping({ keeping }: Slot): void {
  for (const keep of keeping.values()) keep(undefined);
  keeping.clear();
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
