/** The memory that decompressed bodies of all requests may take together. */

import { overloaded } from './transfer-budget.ts';

export interface BodyBudgetOptions {
  /** A body that is larger by itself is taken when there is no other. */
  readonly maxBytes: number;
  /** How long a body waits for memory. */
  readonly maxWaitMs: number;
  /** How many bodies wait. */
  readonly maxWaiting: number;
}

type Fit = 'fits' | 'client-has-too-much' | 'full';

interface Waiting {
  readonly client: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/** Two of the largest commands. */
const defaultOptions: BodyBudgetOptions = {
  maxBytes: 256 * 1024 * 1024,
  maxWaitMs: 30_000,
  maxWaiting: 1000,
};

export class BodyBudget {
  private readonly options: BodyBudgetOptions;
  private readonly usedByClient = new Map<string, number>();
  private waiting: Waiting[] = [];
  private usedBytes = 0;

  constructor(options: Partial<BodyBudgetOptions> = {}) {
    this.options = { ...defaultOptions, ...options };
  }

  /** Bytes that are in use. */
  get used(): number {
    return this.usedBytes;
  }

  /**
   * Resolves when there is room. One client gets half of the memory, or one body.
   *
   * @returns to be called once, when the bytes are not needed any more
   * @throws ServiceError `unavailable` when there is no room for too long; the reason of `signal`
   */
  async reserve(client: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.waiting.length === 0 && this.fit(client, bytes) === 'fits') this.take(client, bytes);
    else await this.wait(client, bytes, signal);
    return () => this.give(client, bytes);
  }

  private fit(client: string, bytes: number): Fit {
    const { maxBytes } = this.options;
    const own = this.usedByClient.get(client) ?? 0;
    if (own > 0 && own + bytes > maxBytes / 2) return 'client-has-too-much';
    return this.usedBytes === 0 || this.usedBytes + bytes <= maxBytes ? 'fits' : 'full';
  }

  private take(client: string, bytes: number): void {
    this.usedBytes += bytes;
    this.usedByClient.set(client, (this.usedByClient.get(client) ?? 0) + bytes);
  }

  private give(client: string, bytes: number): void {
    this.usedBytes -= bytes;
    const own = (this.usedByClient.get(client) ?? 0) - bytes;
    if (own > 0) this.usedByClient.set(client, own);
    else this.usedByClient.delete(client);
    this.beginWaiting();
  }

  /** In order, so that large bodies get their turn; only a client's own limit lets others pass. */
  private beginWaiting(): void {
    const left: Waiting[] = [];
    let isFull = false;
    for (const each of this.waiting) {
      const fit: Fit = isFull ? 'full' : this.fit(each.client, each.bytes);
      isFull ||= fit === 'full';
      if (fit === 'fits') {
        this.take(each.client, each.bytes);
        each.begin();
      } else left.push(each);
    }
    this.waiting = left;
  }

  private wait(client: string, bytes: number, signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.options.maxWaiting) throw overloaded();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        client,
        bytes,
        begin: () => {
          stop();
          resolve();
        },
      };
      const leave = (reason: Error): void => {
        stop();
        this.waiting = this.waiting.filter((each) => each !== waiting);
        this.beginWaiting();
        reject(reason);
      };
      const onAbort = (): void => leave(signal.reason as Error);
      const timer = setTimeout(() => leave(overloaded()), this.options.maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiting);
      this.beginWaiting();
    });
  }
}
