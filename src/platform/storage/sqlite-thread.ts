/** The main thread's end of a thread that holds an SQLite connection; replaces it when it dies. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import { failureAsError } from './sqlite-failure.ts';
import type { SqliteReply, SqliteRequest, SqliteWorkerData } from './sqlite-protocol.ts';

type Distributed<T> = T extends unknown ? Omit<T, 'id'> : never;
export type SqliteQuestion = Distributed<SqliteRequest>;

interface Pending {
  readonly resolve: (reply: SqliteReply) => void;
  readonly reject: (error: Error) => void;
}

export class SqliteThread {
  private readonly workerUrl: URL;
  private readonly options: SqliteWorkerData;
  private readonly pending = new Map<number, Pending>();
  private worker: Worker | undefined;
  private nextId = 1;
  private isClosed = false;

  constructor(workerUrl: URL, options: SqliteWorkerData) {
    this.workerUrl = workerUrl;
    this.options = options;
  }

  async ask(question: SqliteQuestion): Promise<SqliteReply> {
    if (this.isClosed) throw unavailable('the database is closed');
    return await this.send(question);
  }

  /** Lets everything that was asked before finish. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const worker = this.worker;
    if (worker === undefined) return;
    await this.send({ kind: 'close' });
    await worker.terminate();
  }

  private send(question: SqliteQuestion): Promise<SqliteReply> {
    const id = this.nextId++;
    this.worker ??= this.start();
    const worker = this.worker;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...question, id });
    });
  }

  private start(): Worker {
    const worker = new Worker(this.workerUrl, { workerData: this.options });
    worker.on('message', (reply: SqliteReply) => this.settle(worker, reply));
    worker.on('error', (error) => this.lost(worker, error));
    worker.on('exit', () => this.lost(worker, undefined));
    return worker;
  }

  private settle(worker: Worker, reply: SqliteReply): void {
    const pending = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    // An idle database keeps no process alive.
    if (this.pending.size === 0) worker.unref();
    if (pending === undefined) return;
    if ('failure' in reply) pending.reject(failureAsError(reply.failure));
    else pending.resolve(reply);
  }

  private lost(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const error = unavailable(
      cause instanceof Error ? `the database thread died: ${cause.message}` : 'the database thread ended',
      cause,
    );
    for (const pending of this.pending.values()) pending.reject(error);
    this.pending.clear();
  }
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', message, { cause });
}
