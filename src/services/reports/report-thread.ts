/** Reads large reports in a thread, one after the other, so that no more than one is in memory as a whole. */

import { Worker } from 'node:worker_threads';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError, type ServiceErrorReason } from '../../lib/service-error.ts';
import type { Format } from '../../platform/indirection/index.ts';
import type { MadeReport, ReportReader } from './termini.ts';
import type { ReportHead } from './wire.ts';

export interface ReportQuestion {
  readonly bytes: Uint8Array;
  readonly format: Format;
  readonly certname: string;
}

export type ReportAnswer =
  | { readonly head: ReportHead; readonly made: MadeReport }
  | { readonly reason: ServiceErrorReason; readonly message: string };

/** Few reports are large; the thread takes some 20 MB while it is there. */
const idleMs = 30_000;

/** What may wait: agents are told to come back beyond that. One report is taken whatever its length. */
const maxWaitingBytes = 256 * 1024 * 1024;
/** Of one node: the report of its run, and that of the run before, which it gave up waiting for. */
const maxPerNode = 2;
const retryAfterSeconds = 30;

export class ReportThread implements ReportReader {
  readonly #create: () => Worker;
  readonly #queue = new SerialQueue();
  readonly #ofNode = new Map<string, number>();
  #waitingBytes = 0;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param create - starts a thread that calls `answerReports` */
  constructor(create: () => Worker) {
    this.#create = create;
  }

  /** @throws ServiceError `unavailable` when too many wait; whatever is wrong with the report */
  async read(
    bytes: Uint8Array,
    format: Format,
    certname: string,
  ): Promise<Awaited<ReturnType<ReportReader['read']>>> {
    const leave = this.#enter(bytes.length, certname);
    try {
      return await this.#queue.run(async () => {
        const answer = await this.#ask({ bytes, format, certname });
        if ('reason' in answer) throw new ServiceError(answer.reason, answer.message);
        return answer;
      });
    } finally {
      leave();
    }
  }

  #enter(length: number, certname: string): () => void {
    const own = this.#ofNode.get(certname) ?? 0;
    const isFull = this.#waitingBytes > 0 && this.#waitingBytes + length > maxWaitingBytes;
    if (isFull || own >= maxPerNode)
      throw new ServiceError('unavailable', 'Too many large reports are waiting', {
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

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  async #ask(question: ReportQuestion): Promise<ReportAnswer> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#create();
    const worker = this.#worker;
    try {
      return await answerOf(worker, question);
    } catch (cause) {
      this.#worker = undefined;
      void worker.terminate();
      throw new ServiceError(
        'unavailable',
        'The report could not be read: the thread that reads large ones ended',
        { cause },
      );
    } finally {
      this.#timer = setTimeout(() => this.#end(), idleMs).unref();
    }
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

async function answerOf(worker: Worker, question: ReportQuestion): Promise<ReportAnswer> {
  const { buffer } = question.bytes;
  const ended = Promise.withResolvers<ReportAnswer>();
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
