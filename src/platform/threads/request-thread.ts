/** A thread that answers requests: it starts with the first one, and is replaced when it dies. */

import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { decodeFailure } from './failure-message.ts';
import type { FromThread, ToThread } from './messages.ts';

/** An answer that comes in parts. */
export interface Streamed {
  /** What the thread stated before the first part. */
  readonly head: unknown;
  readonly body: Readable;
}

export interface RequestThreadOptions {
  /** Starts the thread, whose file calls `serveRequests`. */
  readonly start: () => Worker;
  /** The error of requests that a thread left unanswered. @param cause - what it died of, where that is known */
  readonly lost: (cause: Error | undefined) => Error;
  /** The error of requests after `close` or `stop`. */
  readonly closed: () => Error;
  /** Called for messages that the thread sends on its own. */
  readonly onNotice?: (notice: unknown) => void;
}

interface OpenStream {
  readonly readable: Readable;
  /** Parts that were read without a `more`, because the reader wanted no more at that time. */
  owed: number;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class RequestThread<Request> {
  private readonly options: RequestThreadOptions;
  private readonly pending = new Map<number, Pending>();
  private readonly streams = new Map<number, OpenStream>();
  private worker: Worker | undefined;
  private nextId = 1;
  private isClosed = false;

  constructor(options: RequestThreadOptions) {
    this.options = options;
  }

  /** Requests in flight: without a complete answer, or with one that is not read to the end. */
  get load(): number {
    return this.pending.size + this.streams.size;
  }

  /**
   * @returns the value of the answer, or a `Streamed` one
   * @throws what the thread refused the request with; the errors of the options
   */
  async ask(request: Request, transferred: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.isClosed) throw this.options.closed();
    return await this.post('request', request, transferred);
  }

  /** Ends the thread at once; what it was asked fails. The next request starts another. */
  async abandon(reason?: Error): Promise<void> {
    const worker = this.worker;
    if (worker === undefined) return;
    this.lose(worker, reason);
    await worker.terminate();
  }

  /** Like `abandon`, for good. */
  async stop(reason?: Error): Promise<void> {
    this.isClosed = true;
    await this.abandon(reason);
  }

  /** Lets everything that was asked before finish. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const worker = this.worker;
    if (worker === undefined) return;
    await this.post('close', undefined, []);
    await worker.terminate();
  }

  private post(
    kind: 'request' | 'close',
    request: unknown,
    transferred: readonly ArrayBuffer[],
  ): Promise<unknown> {
    const id = this.nextId++;
    this.worker ??= this.start();
    const worker = this.worker;
    return new Promise((resolve, reject) => {
      // It throws for what cannot be cloned; such a request is not in flight.
      worker.postMessage({ kind, id, request }, transferred);
      this.pending.set(id, { resolve, reject });
      worker.ref();
    });
  }

  private start(): Worker {
    const worker = this.options.start();
    worker.unref();
    worker.on('message', (reply: FromThread) => this.take(worker, reply));
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker, undefined));
    return worker;
  }

  private take(worker: Worker, reply: FromThread): void {
    switch (reply.kind) {
      case 'notice':
        this.options.onNotice?.(reply.notice);
        return;
      case 'done':
        this.settle(reply.id)?.resolve(reply.value);
        break;
      case 'failure':
        this.fail(reply.id, decodeFailure(reply.failure));
        break;
      case 'stream':
        this.settle(reply.id)?.resolve({
          head: reply.head,
          body: this.openStream(worker, reply.id),
        } satisfies Streamed);
        break;
      case 'part':
        this.takePart(worker, reply.id, reply.bytes);
        break;
      case 'end':
        this.streams.get(reply.id)?.readable.push(null);
        this.streams.delete(reply.id);
        break;
      default:
        reply satisfies never;
    }
    // An idle thread keeps no process alive.
    if (this.load === 0) worker.unref();
  }

  private openStream(worker: Worker, id: number): Readable {
    const readable = new Readable({
      highWaterMark: 256 * 1024,
      read: () => {
        const stream = this.streams.get(id);
        for (; stream !== undefined && stream.owed > 0; stream.owed--) send(worker, { kind: 'more', id });
      },
      destroy: (error, callback) => {
        if (this.streams.delete(id)) send(worker, { kind: 'cancel', id });
        callback(error);
      },
    });
    this.streams.set(id, { readable, owed: 0 });
    return readable;
  }

  private takePart(worker: Worker, id: number, bytes: Uint8Array): void {
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (stream.readable.push(bytes)) send(worker, { kind: 'more', id });
    else stream.owed++;
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private fail(id: number, error: Error): void {
    this.settle(id)?.reject(error);
    const stream = this.streams.get(id);
    this.streams.delete(id);
    stream?.readable.destroy(error);
  }

  private lose(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const ids = [...this.pending.keys(), ...this.streams.keys()];
    if (ids.length === 0) return;
    const error = this.options.lost(cause instanceof Error ? cause : undefined);
    for (const id of ids) this.fail(id, error);
  }
}

function send(worker: Worker, message: ToThread): void {
  worker.postMessage(message);
}
