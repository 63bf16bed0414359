/** Keeps messages until the primary has them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Message } from './message.ts';
import type { OutboxStore, StoredMessage } from './store.ts';

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly client: HttpClient;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  readonly log: Logger;
  /** Between attempts while the primary is away. */
  readonly retryIntervalMs: number;
}

const batchSize = 20;
const flushPollMs = 50;

export class Outbox {
  private readonly options: OutboxOptions;
  private readonly stopping = new AbortController();
  private delivering: Promise<void> | undefined;
  private wake: () => void = ignore;

  constructor(options: OutboxOptions) {
    this.options = options;
  }

  /** Resolves when the message is on disk: from then on it can't be lost. */
  async put(message: Message): Promise<void> {
    await this.options.store.add(message);
    this.wake();
  }

  /** Delivers until `stop()`, beginning with what an earlier process left. */
  start(): void {
    this.delivering ??= this.deliver();
  }

  /** Waits until all has been delivered, at most so long. @returns whether it has */
  async flushed(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while ((await this.options.store.count()) > 0) {
      if (performance.now() > deadline) return false;
      await sleep(flushPollMs);
    }
    return true;
  }

  /** How many messages wait. */
  count(): Promise<number> {
    return this.options.store.count();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.delivering;
  }

  private async deliver(): Promise<void> {
    const { log, retryIntervalMs, store } = this.options;
    const { signal } = this.stopping;
    let isReachable = true;
    while (!signal.aborted) {
      const arrived = this.nextArrival();
      try {
        const messages = await store.oldest(batchSize);
        for (const message of messages) await this.send(message, signal);
        if (messages.length > 0 && !isReachable) log.info({}, 'outbox is being delivered again');
        isReachable = messages.length > 0 || isReachable;
        if (messages.length === 0) await arrived;
      } catch (error) {
        if (signal.aborted) return;
        if (isReachable) log.warn({ err: error }, 'could not deliver the outbox, keeping it');
        isReachable = false;
        await sleep(retryIntervalMs, undefined, { signal }).catch(ignore);
      }
    }
  }

  /** Resolves at the next `put`, or when delivering stops; must be asked for before the store is read. */
  private nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private async send(message: StoredMessage, signal: AbortSignal): Promise<void> {
    const { client, log, primaryUrl, store } = this.options;
    const { id, ...body } = message;
    const answer = await client.send({
      method: 'POST',
      url: `${primaryUrl}/outbox/v1/messages`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (answer.status === 400) {
      // It will never be accepted: what follows must not wait for it.
      log.error(
        { certname: message.certname, reason: answer.body.toString('utf8') },
        'primary refused a message',
      );
    } else if (answer.status !== 204) {
      throw new ServiceError('unavailable', `The primary answered a delivery with status ${answer.status}`);
    }
    await store.remove(id);
  }
}

function ignore(): void {
  // nobody waits
}
