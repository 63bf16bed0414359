/** The other end of a thread that works with the database; replaces it when it dies. */

import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { decodeFailure } from './failure-message.ts';
import type { WorkerOptions, WorkerReply, WorkerRequest } from './protocol.ts';

type Distributed<T> = T extends unknown ? Omit<T, 'id'> : never;
type Question = Distributed<WorkerRequest>;

/** An answer that comes in parts. */
export interface Streamed {
  readonly body: Readable;
  /** Each part came over with its memory. */
  readonly isBodyDisposable: true;
}

interface OpenStream {
  readonly readable: Readable;
  /** Parts that were read without the other side being told, because nobody wanted more at that time. */
  owed: number;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerThreadOptions {
  readonly workerUrl: URL;
  readonly options: WorkerOptions;
  readonly log: Logger;
}

/** Three spaces of 2 MB: with the engine's next size each thread is 6 MB larger, and none faster beyond doubt. */
const maxYoungGenerationSizeMb = 6;

export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #streams = new Map<number, OpenStream>();
  #worker: Worker | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** How much it has been asked that it has not answered yet. */
  get load(): number {
    return this.#pending.size + this.#streams.size;
  }

  /**
   * @returns the value of the answer, or a `Streamed` one
   * @throws what the other side threw; ServiceError `unavailable` when the thread died or is closed
   */
  async ask(question: Question, transferred: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#isClosed) throw unavailable('PuppetDB is closed');
    return await this.#send(question, transferred);
  }

  /** Ends the thread at once, whatever it does; what it was asked fails. The next question starts another. */
  abandon(): void {
    this.#end(new Error('it took too long'));
  }

  /** Like `abandon`, for good. */
  stop(): void {
    this.#isClosed = true;
    this.#end(new Error('PuppetDB is closed'));
  }

  /** Lets everything that was asked before finish. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#send({ kind: 'close' }, []);
    await worker.terminate();
  }

  #end(reason: Error): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#lost(worker, reason);
    void worker.terminate();
  }

  #send(question: Question, transferred: readonly ArrayBuffer[]): Promise<unknown> {
    const id = this.#nextId++;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...question, id }, transferred);
    });
  }

  #start(): Worker {
    const { workerUrl, options } = this.#options;
    const worker = new Worker(workerUrl, {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    worker.on('message', (reply: WorkerReply) => this.#take(worker, reply));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, undefined));
    return worker;
  }

  #take(worker: Worker, reply: WorkerReply): void {
    switch (reply.kind) {
      case 'log':
        this.#options.log[reply.level](reply.fields, reply.message);
        return;
      case 'done':
        this.#settle(reply.id)?.resolve(reply.value);
        break;
      case 'failure':
        this.#fail(reply.id, decodeFailure(reply.failure));
        break;
      case 'stream': {
        const streamed: Streamed = { body: this.#openStream(worker, reply.id), isBodyDisposable: true };
        this.#settle(reply.id)?.resolve({ ...reply.head, ...streamed });
        break;
      }
      case 'part':
        this.#takePart(worker, reply.id, reply.bytes);
        break;
      case 'end':
        this.#streams.get(reply.id)?.readable.push(null);
        this.#streams.delete(reply.id);
        break;
      default:
        reply satisfies never;
    }
    // Idle threads keep no process alive.
    if (this.load === 0) worker.unref();
  }

  #openStream(worker: Worker, id: number): Readable {
    const readable = new Readable({
      highWaterMark: 256 * 1024,
      read: () => {
        const stream = this.#streams.get(id);
        for (; stream !== undefined && stream.owed > 0; stream.owed--) this.#more(worker, id);
      },
      destroy: (error, callback) => {
        if (this.#streams.delete(id)) worker.postMessage({ kind: 'cancel', id } satisfies WorkerRequest);
        callback(error);
      },
    });
    this.#streams.set(id, { readable, owed: 0 });
    return readable;
  }

  #takePart(worker: Worker, id: number, bytes: Uint8Array): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (stream.readable.push(bytes)) this.#more(worker, id);
    else stream.owed++;
  }

  #more(worker: Worker, id: number): void {
    worker.postMessage({ kind: 'more', id } satisfies WorkerRequest);
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #fail(id: number, error: Error): void {
    this.#settle(id)?.reject(error);
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.readable.destroy(error);
  }

  #lost(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    const error = unavailable(`the thread of PuppetDB's database ended${why}`, cause);
    for (const id of [...this.#pending.keys(), ...this.#streams.keys()]) this.#fail(id, error);
  }
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', message, { cause });
}
