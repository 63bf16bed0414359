/** Ends a transfer when nothing has been heard for too long: a line that is cut says nothing of it. */

import type { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import { messageOf } from './failures.ts';

export class Silence {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;

  /** @param patienceMs - until the answer begins */
  constructor(patienceMs: number) {
    this.timer = this.startTimer(patienceMs);
  }

  /** For the request. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The client does not listen any more. */
  end(): void {
    clearTimeout(this.timer);
  }

  /**
   * The bytes as they come.
   *
   * @param patienceMs - from one to the next
   * @throws ServiceError `unavailable` when the connection breaks or falls silent
   */
  async *watch(body: Readable, patienceMs: number): AsyncGenerator<Buffer> {
    this.end();
    this.timer = this.startTimer(patienceMs);
    try {
      for await (const chunk of body) {
        this.timer.refresh();
        yield chunk as Buffer;
      }
    } catch (cause) {
      const what = this.signal.aborted ? `nothing arrived for ${patienceMs / 1000} s` : messageOf(cause);
      throw new ServiceError('unavailable', `The connection to the primary broke: ${what}`, { cause });
    } finally {
      this.end();
    }
  }

  private startTimer(patienceMs: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(), patienceMs);
  }
}
