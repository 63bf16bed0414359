/** The way through a gate: who can be told to come back is told, everybody else waits here. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Gate, HttpRequest } from '../route.ts';
import { understandsRetryAfter } from './understands-retry-after.ts';

/** Agents give up after ten minutes, and a request must have been read whole within five. */
const maxWaitMs = 240_000;
/** Each is a connection with a little of its body: some 80 KB. */
const maxInLine = 5000;

/** Requests that wait with their bodies unread, because their clients take a refusal for a failure. */
export class AdmissionQueue {
  private inLine = 0;

  /**
   * @returns to be called when the request has been answered
   * @throws ServiceError `unavailable`, with `retryAfterSeconds` for clients that understand it
   */
  async pass(gate: Gate, request: HttpRequest): Promise<() => void> {
    const endMs = performance.now() + maxWaitMs;
    for (;;) {
      try {
        return gate.enter(request.path);
      } catch (error) {
        const ms = this.patienceMs(error, request, endMs);
        if (ms === undefined) throw error;
        await this.wait(ms, request.signal);
      }
    }
  }

  /**
   * @returns how long the request may wait before it tries again; `undefined` when its client waits by itself
   * @throws ServiceError when it has waited for long enough
   */
  private patienceMs(error: unknown, { headers }: HttpRequest, endMs: number): number | undefined {
    if (!(error instanceof ServiceError)) return undefined;
    const seconds = error.details['retryAfterSeconds'];
    const version = headers['x-puppet-version'];
    if (typeof seconds !== 'number' || understandsRetryAfter(version?.toString())) return undefined;
    const leftMs = endMs - performance.now();
    if (leftMs > 0 && this.inLine < maxInLine) return Math.min(seconds * 1000, leftMs);
    throw new ServiceError('unavailable', error.message, { cause: error });
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    this.inLine += 1;
    try {
      await sleep(ms, undefined, { signal });
    } catch {
      // Only the signal ends it early, and its reason says why: the client has gone away.
      signal.throwIfAborted();
    } finally {
      this.inLine -= 1;
    }
  }
}
