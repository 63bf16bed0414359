/** Work that has to be done from time to time, whatever happened the time before. */

import type { Logger } from '../platform/log/index.ts';

export interface Periodic {
  /** Once now, after what is under way. Never rejects. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs `work` each `intervalMs`, or less often when it takes longer; a failure is logged under `message` and tried again
 * the next time.
 */
export function periodically(
  work: () => Promise<void>,
  intervalMs: number,
  log: Logger,
  message: string,
): Periodic {
  let last: Promise<void> = Promise.resolve();
  let pending = 0;
  const guarded = async () => {
    try {
      await work();
    } catch (err) {
      log.warn({ err, task: message }, 'periodic task failed, trying again later');
    }
  };
  const run = () => {
    pending += 1;
    last = last.then(guarded).then(() => {
      pending -= 1;
    });
    return last;
  };
  const timer = setInterval(() => {
    if (pending === 0) void run();
  }, intervalMs);
  timer.unref();
  return {
    run,
    async stop() {
      clearInterval(timer);
      await last;
    },
  };
}
