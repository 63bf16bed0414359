/** Work that may turn out to be endless, in a thread that others wait for. */

import { type Context, createContext, Script } from 'node:vm';

/** Work that had so much of its time was slow itself: the rest went to whatever else the machine did. */
const consumedShare = 0.8;

const script = new Script('work()');

/** It is an error of the context's own, of no class that is known here. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

export class TimeLimit {
  private readonly limitMs: number;
  private readonly place: { work?: () => unknown } = {};
  private context: Context | undefined;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  /**
   * The engine looks at the clock, also in the middle of a regular expression, where no timer and no signal comes. What counts is
   * the processor time of this thread: on a busy machine the clock goes on while the work stands still, and it begins anew.
   *
   * @param work - may end at any place and begin again, so it must not leave anything half done
   * @param late - makes the error for work that took the whole time
   */
  run<T>(work: () => T, late: () => Error): T {
    this.context ??= createContext(this.place);
    const before = process.threadCpuUsage();
    for (;;) {
      this.place.work = work;
      try {
        return script.runInContext(this.context, { timeout: this.limitMs }) as T;
      } catch (error) {
        if (!isTimeout(error)) throw error;
        const { system, user } = process.threadCpuUsage(before);
        if ((system + user) / 1000 >= this.limitMs * consumedShare) throw late();
      } finally {
        delete this.place.work;
      }
    }
  }
}
