/** Who may begin now, and who comes back when: a server that is asked for more than it can do stays as fast as it is. */

import { ServiceError } from '../../../lib/service-error.ts';
import { RetrySchedule } from './retry-schedule.ts';

export interface AdmissionOptions<Key = string> {
  /** How many requests are worked on at the same time. */
  readonly places: number;
  /** What one request takes once it is worked on, in ms, as measured lately. */
  readonly serviceMs: () => number;
  /** How long a request may wait for its place, in ms. One that comes unannounced gets half of it. */
  readonly maxWaitMs: number;
  /** How many requests may wait, however short they are. */
  readonly maxWaiting: number;
  /** The longest `Retry-After`, in seconds. */
  readonly maxRetryAfterSeconds: number;
  /** What those are told who are sent away. */
  readonly message: string;
  /** Whether a client was told to retry later long ago, by any server: it is let in before others. */
  readonly hasWaitedLong?: (key: Key) => boolean;
  readonly nowMs: () => number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/**
 * Lets in what can be answered soon, and gives everybody else an appointment.
 *
 * Retries follow each other at the speed at which requests are worked on, so those who were sent away together
 * don't come back together. Who comes to an appointment is let in before who comes by chance; where those with
 * appointments went elsewhere (another server behind the load balancer), nothing is kept free for them.
 */
export class Admission<Key = string> {
  private readonly options: AdmissionOptions<Key>;
  private readonly retries: RetrySchedule<Key>;
  private inside = 0;
  private refused = 0;

  constructor(options: AdmissionOptions<Key>) {
    this.options = options;
    this.retries = new RetrySchedule<Key>(options.nowMs);
  }

  /** Requests that were let in and have not left. */
  get requestsInside(): number {
    return this.inside;
  }
  /** How many were sent away since the start. */
  get requestsRefused(): number {
    return this.refused;
  }

  /**
   * @param key - the same for each attempt of one client at one thing
   * @returns to be called once, when the request has been answered
   * @throws ServiceError `unavailable` with `retryAfterSeconds` among its details
   */
  enter(key: Key): () => void {
    const retryAfterSeconds = this.tryEnter(key);
    if (retryAfterSeconds === undefined) return () => this.leave();
    throw new ServiceError('unavailable', this.options.message, { details: { retryAfterSeconds } });
  }

  /**
   * The same for callers that refuse very often. Each request that was let in calls `leave` once.
   *
   * @returns after how many seconds the client is to come again; `undefined` when it was let in
   */
  tryEnter(key: Key): number | undefined {
    const isExpected = this.retries.keep(key) || this.options.hasWaitedLong?.(key) === true;
    if (!this.hasRoom(isExpected)) {
      this.refused += 1;
      return this.secondsFor(key, isExpected);
    }
    this.retries.forget(key);
    this.inside += 1;
    return undefined;
  }

  leave(): void {
    this.inside -= 1;
  }

  private hasRoom(isExpected: boolean): boolean {
    const { maxWaitMs, maxWaiting, places } = this.options;
    if (this.inside < places) return true;
    if (this.inside - places >= maxWaiting) return false;
    return this.waitMs() <= (isExpected ? maxWaitMs : maxWaitMs / 2);
  }

  /** How long a request that came now would wait. */
  private waitMs(): number {
    const ahead = this.inside - this.options.places + 1;
    return ahead <= 0 ? 0 : ahead * this.spacingMs();
  }

  /** The time between the end of one request and that of the next, with all places taken. */
  private spacingMs(): number {
    return this.options.serviceMs() / this.options.places;
  }

  private secondsFor(key: Key, isExpected: boolean): number {
    const { maxRetryAfterSeconds, nowMs, random } = this.options;
    const now = nowMs();
    const latestMs = now + maxRetryAfterSeconds * 1000;
    // A client whose turn could not be kept does not go back to the end of the queue.
    const dueMs = isExpected
      ? this.retries.repeat(key, now + this.waitMs() * random())
      : this.retries.make(key, {
          soonestMs: now + this.waitMs(),
          latestMs,
          spacingMs: this.spacingMs(),
        });
    if (dueMs !== undefined && dueMs <= latestMs) return Math.max(1, Math.ceil((dueMs - now) / 1000));
    this.retries.forget(key);
    // No order can be kept so far ahead: spread them.
    return Math.max(1, Math.ceil((maxRetryAfterSeconds * (1 + random())) / 2));
  }
}
