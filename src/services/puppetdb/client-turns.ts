/** Which query or command runs next: clients take turns, and one client cannot occupy all places. */

import { ServiceError } from '../../lib/service-error.ts';

export interface ClientTurnsOptions {
  /** How many requests run at a time. */
  readonly places: number;
  /** How many of them may be of one client. */
  readonly placesPerClient: number;
  /** How many requests and unread answers one client may have. */
  readonly maxOpenPerClient: number;
}

interface Client {
  open: number;
  running: number;
  readonly waiting: (() => void)[];
}

export class ClientTurns {
  private readonly options: ClientTurnsOptions;
  /** Those that have something open; the one that had its turn last comes last. */
  private readonly clients = new Map<string, Client>();
  private running = 0;

  constructor(options: ClientTurnsOptions) {
    this.options = options;
  }

  /**
   * Counts a request until its answer has been read.
   *
   * @param name - of the client; undefined for the server itself, which has no limit
   * @returns to be called once
   * @throws ServiceError `unavailable` when the client has too many
   */
  enter(name: string | undefined): () => void {
    const client = this.client(name);
    if (name !== undefined && client.open >= this.options.maxOpenPerClient) {
      throw new ServiceError('unavailable', 'This client has too many requests at the same time', {
        details: { retryAfterSeconds: 1 },
      });
    }
    client.open++;
    return () => {
      client.open--;
      if (client.open === 0) this.clients.delete(keyOf(name));
    };
  }

  /** Runs `work` when it is the client's turn. @throws the reason of `signal` when it is aborted before that */
  async run<T>(name: string | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const client = this.client(name);
    if (this.mayRun(name, client)) this.begin(client);
    else await this.wait(client, signal);
    try {
      return await work();
    } finally {
      client.running--;
      this.running--;
      this.putLast(name, client);
      this.wakeNext();
    }
  }

  private client(name: string | undefined): Client {
    const key = keyOf(name);
    const client = this.clients.get(key) ?? { open: 0, running: 0, waiting: [] };
    this.clients.set(key, client);
    return client;
  }

  private mayRun(name: string | undefined, client: Client): boolean {
    const { places, placesPerClient } = this.options;
    const own = name === undefined ? places : placesPerClient;
    return this.running < places && client.running < own;
  }

  private begin(client: Client): void {
    client.running++;
    this.running++;
  }

  private putLast(name: string | undefined, client: Client): void {
    this.clients.delete(keyOf(name));
    this.clients.set(keyOf(name), client);
  }

  private wait(client: Client, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        client.waiting.splice(client.waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      client.waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private wakeNext(): void {
    for (const [key, client] of this.clients) {
      const name = key === keyOf(undefined) ? undefined : key;
      if (client.waiting.length === 0 || !this.mayRun(name, client)) continue;
      this.begin(client);
      client.waiting.shift()?.();
      return;
    }
  }
}

function keyOf(name: string | undefined): string {
  return name ?? '';
}
