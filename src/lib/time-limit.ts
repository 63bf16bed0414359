/** Work that may turn out to be endless, in a thread that others wait for. */

import { type Context, createContext, Script } from 'node:vm';

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
   * The engine looks at the clock, also in the middle of a regular expression, where no timer and no signal comes.
   *
   * @param work - ends at any place when it takes too long, so it must not leave anything half done
   * @param late - makes the error for that
   */
  run<T>(work: () => T, late: () => Error): T {
    this.context ??= createContext(this.place);
    this.place.work = work;
    try {
      return script.runInContext(this.context, { timeout: this.limitMs }) as T;
    } catch (error) {
      throw isTimeout(error) ? late() : error;
    } finally {
      delete this.place.work;
    }
  }
}
