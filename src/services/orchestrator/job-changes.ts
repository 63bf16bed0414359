/** Waits for the next change of a job. */

import { EventEmitter, once } from 'node:events';

const anyJob = 'any';

export class JobChanges {
  private readonly emitter = new EventEmitter();

  constructor() {
    // As many clients as want to follow a job.
    this.emitter.setMaxListeners(0);
  }

  tell(id: number): void {
    this.emitter.emit(String(id));
    this.emitter.emit(anyJob, id);
  }

  /** Calls back with the number of each job that changes. @returns what ends that */
  onAny(listener: (id: number) => void): () => void {
    this.emitter.on(anyJob, listener);
    return () => this.emitter.off(anyJob, listener);
  }

  /** @returns whether something has changed before the time was up and the signal aborted */
  async next(id: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      await once(this.emitter, String(id), { signal: ends });
      return true;
    } catch (error) {
      if (ends.aborted) return false;
      throw error;
    }
  }
}
