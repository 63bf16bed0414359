/** One place in the pool: its worker, the task that it runs, and the watchdog that replaces a worker that hangs or dies. */

import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../lib/service-error.ts';
import type { ImageMaker } from '../../../platform/ruby/index.ts';
import { HeapGuard } from '../../../platform/threads/index.ts';
import type { FromWorker, KeptCatalog, ToWorker } from '../worker-protocol.ts';
import type { PoolOptions } from './pool-options.ts';
import { isRubyMessage, RubyWatch } from './ruby-watch.ts';
import { startWorker } from './start-worker.ts';
import type { Task } from './task-queue.ts';

/** Before a worker that died before its first answer is started again: it would most likely die again. */
const restartDelayMs = 1000;

/** The evaluator looks itself and fails the compile with an error; the guard is for what runs outside of it. */
const heapTolerance = 1.5;

/** The time for a thread to collect the exit status of its Ruby, which it was waiting for. */
const reapMs = 500;

export interface SlotEvents {
  /** The slot can take the next task. */
  onFree(): void;
  /** A catalog was compiled, or a question answered, or that was given up, after this time. */
  onCompileEnd(message: Exclude<Task['message'], { kind: 'warm' }>, durationMs: number): void;
}

export class WorkerSlot {
  private readonly options: PoolOptions;
  private readonly images: ImageMaker;
  private readonly events: SlotEvents;
  private readonly ruby: RubyWatch;
  /** Compile -> the caller that waits for what is kept of it. */
  private readonly keeping = new Map<number, (catalog: KeptCatalog | undefined) => void>();
  private worker: Worker;
  private hasAnswered = false;
  /** False between the death of a worker and the start of the next. */
  private isAlive = true;
  private isClosed = false;
  private task: Task | undefined;
  private timer: NodeJS.Timeout | undefined;
  private beganMs = 0;
  private heap: HeapGuard | undefined;

  constructor(options: PoolOptions, images: ImageMaker, events: SlotEvents) {
    this.options = options;
    this.images = images;
    this.events = events;
    this.ruby = new RubyWatch(options.log);
    this.worker = this.start();
  }

  get isBusy(): boolean {
    return this.task !== undefined;
  }
  /** Whether it can take a task now. */
  get isFree(): boolean {
    return this.task === undefined && this.isAlive;
  }
  get rubies(): number {
    return this.ruby.count;
  }

  /** Only while the slot is free. */
  give(task: Task): void {
    this.task = task;
    this.beganMs = performance.now();
    this.timer = setTimeout(() => this.endHung(), this.options.timeoutMs);
    const maxHeapMiB = heapTolerance * this.options.maxHeapMiB;
    this.heap = new HeapGuard(this.worker, maxHeapMiB, () => this.endGreedy());
    this.worker.postMessage(task.message);
  }

  /** No compile needs this environment version any more. */
  forget(key: string): void {
    this.worker.postMessage({ kind: 'forget', key } satisfies ToWorker);
  }

  /** Ends the worker at once. */
  async terminate(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.ruby.endAll();
    await this.worker.terminate();
  }

  /** Rejects what was running when the worker was terminated. */
  rejectTask(error: Error): void {
    this.task?.reject(error);
    this.stopKeeping();
  }

  private finish(): Task | undefined {
    const { task } = this;
    clearTimeout(this.timer);
    this.heap?.stop();
    this.task = undefined;
    if (task !== undefined && task.message.kind !== 'warm')
      this.events.onCompileEnd(task.message, performance.now() - this.beganMs);
    return task;
  }

  private endHung(): void {
    const seconds = Math.round(this.options.timeoutMs / 1000);
    const task = this.finish();
    this.replace();
    task?.reject(
      new ServiceError('compile-failed', `Compiling the ${task.what} took longer than ${seconds} seconds`),
    );
  }

  private endGreedy(): void {
    const { maxHeapMiB, log } = this.options;
    const task = this.finish();
    log.error({ task: task?.what, maxHeapMiB }, 'compile needs too much memory, replacing its worker');
    this.replace({ isUrgent: true });
    const message = `Compiling the ${task?.what ?? ''} needs more than ${maxHeapMiB} MiB of memory`;
    task?.reject(new ServiceError('compile-failed', message));
  }

  private handleDeath(error: Error): void {
    if (this.isClosed) return;
    const task = this.finish();
    this.options.log.error({ err: error, task: task?.what }, 'compile worker died, replacing it');
    this.replace();
    const message = `A compile worker died of: ${error.message}`;
    task?.reject(new ServiceError('compile-failed', message, { cause: error }));
  }

  private replace({ isUrgent = false } = {}): void {
    const old = this.worker;
    this.stopKeeping();
    const hadRuby = this.ruby.count > 0;
    this.ruby.endAll();
    old.removeAllListeners();
    old.on('error', () => {});
    // Only the thread that started a process can wait for it: without the chance to, it would stay a zombie.
    if (hadRuby && !isUrgent) setTimeout(() => void old.terminate(), reapMs);
    else void old.terminate();
    this.isAlive = false;
    if (this.hasAnswered) this.restart();
    else setTimeout(() => this.restart(), restartDelayMs).unref();
  }

  private restart(): void {
    if (this.isClosed) return;
    this.worker = this.start();
    this.isAlive = true;
    this.hasAnswered = false;
    this.events.onFree();
  }

  private start(): Worker {
    const worker = startWorker(this.options, this.images);
    worker.on('message', (answer: FromWorker) => this.handle(answer));
    worker.on('error', (error) => this.handleDeath(error));
    worker.on('exit', () => this.handleDeath(new Error('the thread ended')));
    return worker;
  }

  private handle(answer: FromWorker): void {
    if (isRubyMessage(answer)) {
      this.ruby.handle(answer);
      return;
    }
    if (answer.kind === 'kept' || answer.kind === 'not-kept') {
      this.handleKept(answer);
      return;
    }
    if (this.task?.message.id !== answer.id) return;
    this.hasAnswered = true;
    if (answer.kind === 'compiled') this.awaitKept(this.task);
    this.finish()?.resolve(answer);
    this.events.onFree();
  }

  private awaitKept({ keep, message }: Task): void {
    if (keep === undefined || message.kind !== 'compile') return;
    if (message.job.keeping === undefined) keep(undefined);
    else this.keeping.set(message.id, keep);
  }

  private handleKept(answer: Extract<FromWorker, { kind: 'kept' | 'not-kept' }>): void {
    if (answer.kind === 'not-kept')
      this.options.log.error({ reason: answer.reason }, 'catalog could not be made ready to be kept');
    this.keeping.get(answer.id)?.(answer.kind === 'kept' ? answer.catalog : undefined);
    this.keeping.delete(answer.id);
  }

  private stopKeeping(): void {
    for (const keep of this.keeping.values()) keep(undefined);
    this.keeping.clear();
  }
}
