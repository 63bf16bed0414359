/** Keeps messages until they are delivered. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../lib/semaphore.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Logger } from '../../platform/log/index.ts';
import { deliver } from './deliver.ts';
import type { Content, Destination, Message } from './message.ts';
import type { OutboxStore, StoredMessage } from './store.ts';

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly destination: Destination;
  readonly log: Logger;
  /** Between attempts while the destination is away. */
  readonly retryIntervalMs: number;
  /** Called when a message cannot be stored: makes room where the disk is full. @returns whether it did */
  readonly makeRoom?: () => Promise<boolean>;
}

const batchSize = 24;
/** What arrives within this time goes together; agents don't wait for it. */
const gatherMs = 100;
const flushPollMs = 50;
/** Until then they are delivered once more by the next process when this one is killed, which does no harm. */
const removalDelayMs = 500;
/** More are removed at once: after an outage nothing may arrive for long. */
const mostDelivered = 200;

export class Outbox {
  private readonly options: OutboxOptions;
  private readonly stopping = new AbortController();
  private readonly places: Semaphore;
  private delivering: Promise<void> | undefined;
  private wake: () => void = ignore;

  constructor(options: OutboxOptions) {
    this.options = options;
    this.places = new Semaphore(options.destination.nodesAtOnce);
  }

  /**
   * Resolves when the message is on disk: from then on it can't be lost.
   *
   * @param content - of a catalog; absent when it is the one that is kept for the node
   */
  async put(message: Message, content?: Content): Promise<void> {
    const { makeRoom, store } = this.options;
    try {
      await store.add(message, content);
    } catch (error) {
      if (makeRoom === undefined || !(await makeRoom())) throw error;
      await store.add(message, content);
    }
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
    await this.options.store.removeDelivered();
  }

  private async deliver(): Promise<void> {
    const { log, retryIntervalMs, store } = this.options;
    const { signal } = this.stopping;
    let isReachable = true;
    while (!signal.aborted) {
      const arrived = this.nextArrival();
      try {
        const messages = await store.oldest(batchSize);
        await this.sendAll(messages, signal);
        if (messages.length > 0 && !isReachable) log.info({}, 'outbox is being delivered again');
        isReachable = messages.length > 0 || isReachable;
        if (messages.length === 0) await this.rest(arrived);
        if (messages.length < batchSize) await sleep(gatherMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        if (isReachable) log.warn({ err: error }, 'could not deliver the outbox, keeping it');
        isReachable = false;
        await sleep(retryIntervalMs, undefined, { signal }).catch(ignore);
      }
    }
  }

  /** What was delivered goes with the next message that arrives, or else after a while. */
  private async rest(arrived: Promise<void>): Promise<void> {
    const { store } = this.options;
    const timer = setTimeout(() => void store.removeDelivered().catch(ignore), removalDelayMs);
    await arrived;
    clearTimeout(timer);
  }

  /** Resolves at the next `put`, or when delivering stops; must be asked for before the store is read. */
  private nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** Those of one node in their order. @throws the first failure, when all that is under way has ended */
  private async sendAll(messages: readonly StoredMessage[], signal: AbortSignal): Promise<void> {
    const { store } = this.options;
    const byNode = Map.groupBy(messages, ({ certname }) => certname);
    const outcomes = await Promise.allSettled(
      Array.from(byNode.values(), (ofNode) =>
        this.places.run(async () => {
          for (const message of ofNode) {
            await this.send(message, signal);
            store.noteDelivered(message.id);
          }
        }),
      ),
    );
    if (store.deliveredCount >= mostDelivered) await store.removeDelivered();
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async send(message: StoredMessage, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { destination, log, store } = this.options;
    const { certname, command } = message;
    try {
      const isDelivered = await deliver(message, store, destination, signal);
      // A newer one has taken its place, and waits behind it.
      if (!isDelivered) log.debug({ certname, command }, 'content of a catalog is gone');
    } catch (error) {
      if (!(error instanceof ServiceError) || error.reason !== 'bad-request') throw error;
      // It will never be accepted: what follows must not wait for it.
      log.error({ certname, command, reason: error.message }, 'primary refused a message');
    }
  }
}

function ignore(): void {
  // no caller waits
}
