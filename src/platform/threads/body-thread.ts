/** Reads large bodies in a thread, one after the other, so that no more than one is in memory as a whole. */

import type { Worker } from 'node:worker_threads';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { RequestThread } from './request-thread.ts';
import { serveRequests } from './serve-requests.ts';

export interface BodyThreadOptions {
  /** Starts a thread that calls `answerBodies`. */
  readonly create: () => Worker;
  /** What is read, in the plural: `reports`. */
  readonly what: string;
}

/** Few bodies are large; the thread takes some 20 MB while it is there. */
const idleMs = 30_000;

/** Queue limit in bytes; above it, agents are told to retry later. A single body is accepted at any size. */
const maxWaitingBytes = 256 * 1024 * 1024;
/** Queue limit for one node: its current body, and an earlier one whose client timed out. */
const maxPerNode = 2;
const retryAfterSeconds = 30;

/** `Q` and `A` must be values that can be cloned. */
export class BodyThread<Q extends { readonly bytes: Uint8Array }, A> {
  private readonly options: BodyThreadOptions;
  private readonly thread: RequestThread<Q>;
  private readonly queue = new SerialQueue();
  private readonly ofNode = new Map<string, number>();
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: BodyThreadOptions) {
    this.options = options;
    const lost = (cause: Error | undefined): ServiceError => {
      const message = `The thread that reads large ${options.what} ended before it had read this one`;
      return new ServiceError('unavailable', message, { cause });
    };
    this.thread = new RequestThread({ start: options.create, lost, closed: () => lost(undefined) });
  }

  /**
   * @param question - `bytes` are transferred: the caller must not use them again
   * @param certname - whose body it is
   * @throws ServiceError `unavailable` when too many wait, or the thread has no memory for the body; what `answerBodies` was thrown
   */
  async ask(question: Q, certname: string): Promise<A> {
    const leave = this.enter(question.bytes.length, certname);
    try {
      return await this.queue.run(() => this.send(question));
    } finally {
      leave();
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.thread.stop();
  }

  private enter(length: number, certname: string): () => void {
    const own = this.ofNode.get(certname) ?? 0;
    const isFull = this.waitingBytes > 0 && this.waitingBytes + length > maxWaitingBytes;
    if (isFull || own >= maxPerNode)
      throw new ServiceError('unavailable', `Too many large ${this.options.what} are waiting`, {
        details: { retryAfterSeconds },
      });
    this.waitingBytes += length;
    this.ofNode.set(certname, own + 1);
    return () => {
      this.waitingBytes -= length;
      const left = (this.ofNode.get(certname) ?? 1) - 1;
      if (left > 0) this.ofNode.set(certname, left);
      else this.ofNode.delete(certname);
    };
  }

  private async send(question: Q): Promise<A> {
    clearTimeout(this.timer);
    const { buffer } = question.bytes;
    try {
      return (await this.thread.ask(question, buffer instanceof ArrayBuffer ? [buffer] : [])) as A;
    } finally {
      this.timer = setTimeout(() => void this.thread.abandon(), idleMs).unref();
    }
  }
}

/**
 * The thread's end.
 *
 * @param read - errors other than ServiceError end the thread
 */
export function answerBodies<Q, A>(read: (question: Q) => A): void {
  serveRequests<Q>({
    take(incoming) {
      try {
        incoming.reply(read(incoming.request));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        incoming.refuse(error);
      }
    },
  });
}
