/** Reads large bodies in a thread, one after the other, so that no more than one is in memory as a whole. */

import type { MessagePort, Worker } from 'node:worker_threads';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';

export interface BodyThreadOptions {
  /** Starts a thread that calls `answerBodies`. */
  readonly create: () => Worker;
  /** What is read, in the plural: `reports`. */
  readonly what: string;
}

interface Failure {
  readonly reason: ServiceErrorReason;
  readonly message: string;
}

type Reply<A> = { readonly answer: A } | { readonly failure: Failure };

/** Few bodies are large; the thread takes some 20 MB while it is there. */
const idleMs = 30_000;

/** What may wait: agents are told to come back beyond that. One body is taken whatever its length. */
const maxWaitingBytes = 256 * 1024 * 1024;
/** Of one node: what it sends now, and what it sent before and gave up waiting for. */
const maxPerNode = 2;
const retryAfterSeconds = 30;

/** `Q` and `A` must be values that can be cloned. */
export class BodyThread<Q extends { readonly bytes: Uint8Array }, A> {
  readonly #options: BodyThreadOptions;
  readonly #queue = new SerialQueue();
  readonly #ofNode = new Map<string, number>();
  #waitingBytes = 0;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BodyThreadOptions) {
    this.#options = options;
  }

  /**
   * @param question - its bytes belong to the thread from now on
   * @param certname - whose body it is
   * @throws ServiceError `unavailable` when too many wait, or the thread has no memory for the body; what `answerBodies` was thrown
   */
  async ask(question: Q, certname: string): Promise<A> {
    const leave = this.#enter(question.bytes.length, certname);
    try {
      const reply = await this.#queue.run(() => this.#send(question));
      if ('failure' in reply) throw new ServiceError(reply.failure.reason, reply.failure.message);
      return reply.answer;
    } finally {
      leave();
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #enter(length: number, certname: string): () => void {
    const own = this.#ofNode.get(certname) ?? 0;
    const isFull = this.#waitingBytes > 0 && this.#waitingBytes + length > maxWaitingBytes;
    if (isFull || own >= maxPerNode)
      throw new ServiceError('unavailable', `Too many large ${this.#options.what} are waiting`, {
        details: { retryAfterSeconds },
      });
    this.#waitingBytes += length;
    this.#ofNode.set(certname, own + 1);
    return () => {
      this.#waitingBytes -= length;
      const left = (this.#ofNode.get(certname) ?? 1) - 1;
      if (left > 0) this.#ofNode.set(certname, left);
      else this.#ofNode.delete(certname);
    };
  }

  async #send(question: Q): Promise<Reply<A>> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#options.create();
    const worker = this.#worker;
    try {
      return await replyOf<Reply<A>>(worker, question);
    } catch (cause) {
      this.#worker = undefined;
      void worker.terminate();
      const message = `The thread that reads large ${this.#options.what} ended before it had read this one`;
      throw new ServiceError('unavailable', message, { cause });
    } finally {
      this.#timer = setTimeout(() => this.#end(), idleMs).unref();
    }
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/**
 * The thread's end.
 *
 * @param read - what it throws but ServiceError ends the thread
 */
export function answerBodies<Q, A>(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  read: (question: Q) => A,
): void {
  port.on('message', (question: Q) => port.postMessage(replyTo(question, read)));
}

function replyTo<Q, A>(question: Q, read: (question: Q) => A): Reply<A> {
  try {
    return { answer: read(question) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { failure: { reason: error.reason, message: error.message } };
  }
}

async function replyOf<R>(worker: Worker, question: { readonly bytes: Uint8Array }): Promise<R> {
  const { buffer } = question.bytes;
  const ended = Promise.withResolvers<R>();
  const onExit = () => ended.reject(new Error('the thread ended'));
  worker.once('message', ended.resolve).once('error', ended.reject).once('exit', onExit);
  try {
    worker.ref();
    worker.postMessage(question, buffer instanceof ArrayBuffer ? [buffer] : []);
    return await ended.promise;
  } finally {
    worker.unref();
    worker.off('message', ended.resolve).off('error', ended.reject).off('exit', onExit);
  }
}
