/**
 * Reads answers of SAML providers in a thread, one after the other, and gives up after a time: what the library does grows with the square
 * of a message, and anyone may send one.
 */

import { Worker } from 'node:worker_threads';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { RequestThread } from '../threads/index.ts';
import type { SamlQuestion } from './response-reader.ts';
import { SamlError } from './saml-error.ts';
import type { SamlIdentity } from './verified-assertion.ts';

export type SamlReply = { readonly identity: SamlIdentity } | { readonly refusal: string };

/** The slowest message that was found takes half a second of processor time, the start of a thread as much; machines may be busy. */
const usualLimitMs = 30_000;
/** Logins are rare: the library takes some 20 MB while the thread is there. */
const idleMs = 30_000;
const memoryMb = 128;

export class SamlThread {
  private readonly thread: RequestThread<SamlQuestion>;
  private readonly queue = new SerialQueue();
  private readonly limitMs: number;
  private timer: NodeJS.Timeout | undefined;

  /** @param workerUrl - of `saml-worker.ts` */
  constructor(workerUrl: URL, limitMs = usualLimitMs) {
    this.limitMs = limitMs;
    this.thread = new RequestThread({
      start: () =>
        new Worker(workerUrl, { name: 'saml', resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
      lost: (cause) => new SamlError(`The message could not be read: ${cause?.message ?? 'unknown'}`, cause),
      closed: () => new SamlError('The server is stopping'),
    });
  }

  /** @throws SamlError saying what is wrong with the answer, also when it takes too long to read */
  read(question: SamlQuestion): Promise<SamlIdentity> {
    return this.queue.run(() => this.ask(question));
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.thread.stop();
  }

  private async ask(question: SamlQuestion): Promise<SamlIdentity> {
    clearTimeout(this.timer);
    const tooLong = new Error(`it took more than ${this.limitMs / 1000} s`);
    const limit = setTimeout(() => void this.thread.abandon(tooLong), this.limitMs).unref();
    try {
      const reply = (await this.thread.ask(question)) as SamlReply;
      if ('refusal' in reply) throw new SamlError(reply.refusal);
      return reply.identity;
    } finally {
      clearTimeout(limit);
      this.timer = setTimeout(() => void this.thread.abandon(), idleMs).unref();
    }
  }
}
