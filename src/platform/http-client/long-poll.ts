/** The client's end of a long poll: asks again and again for something that the server hands out when it changes. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log/index.ts';
import type { ClientRequest } from './http-client.ts';

/** The server holds the answer back for so long; below what load balancers and firewalls cut off. */
const waitSeconds = 25;

/** After a failure, and when a server does not make us wait, so that it is not asked in a loop. In milliseconds. */
export const usualPauseMs = 500;

/** Belongs to the request that asks: because of the headers, the server waits. */
export type LongPollRequest = Required<Pick<ClientRequest, 'headers' | 'timeoutMs' | 'signal'>>;

export interface LongPollOptions {
  /** Asks once. @returns how long to rest before the next time, in milliseconds */
  readonly ask: (request: LongPollRequest) => Promise<number>;
  /** Logged for the first of several failures in a row. */
  readonly failed: string;
  readonly log: Logger;
}

export class LongPoll {
  private readonly options: LongPollOptions;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;

  constructor(options: LongPollOptions) {
    this.options = options;
  }

  start(): void {
    this.following ??= this.follow();
  }

  /** Ends the request that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { ask, failed, log } = this.options;
    const { signal } = this.stopping;
    const headers = { prefer: `wait=${waitSeconds}` };
    let isReachable = true;
    while (!signal.aborted) {
      let pause = usualPauseMs;
      try {
        pause = await ask({ headers, timeoutMs: (waitSeconds + 10) * 1000, signal });
        isReachable = true;
      } catch (err) {
        if (signal.aborted) return;
        if (isReachable) log.warn({ err }, failed);
        isReachable = false;
      }
      await sleep(pause, undefined, { signal }).catch(() => {
        // stopped: the loop sees that
      });
    }
  }
}
