/** Processes that end when the one that they belong to has ended and does not come back. */

import { findMarked } from './marked-process.ts';

const markVariable = 'BUNRAKU_BOUND_TO';
const graceVariable = 'BUNRAKU_BOUND_GRACE_MS';

/** @param markFile - of the process that it belongs to @returns the environment of a process that is bound to it */
export function boundTo(markFile: string, graceMs: number): Readonly<Record<string, string>> {
  return { [markVariable]: markFile, [graceVariable]: String(graceMs) };
}

const mostPollMs = 2000;

/**
 * Watches the process that this one is bound to by its environment, if it is.
 *
 * @returns a signal that is aborted when that process has not been there for the grace period
 */
export function boundSignal(
  environment: Readonly<Record<string, string | undefined>>,
): AbortSignal | undefined {
  const { [markVariable]: markFile, [graceVariable]: grace } = environment;
  if (markFile === undefined) return undefined;
  const graceMs = Number(grace ?? 0);
  const controller = new AbortController();
  let seenMs = performance.now();
  const look = async () => {
    if ((await findMarked(markFile)) !== undefined) seenMs = performance.now();
    else if (performance.now() - seenMs >= graceMs) controller.abort();
  };
  const timer = setInterval(
    () => {
      look().catch(() => {
        // The mark could not be read: nothing is known of that process.
      });
      if (controller.signal.aborted) clearInterval(timer);
    },
    Math.min(mostPollMs, Math.max(100, graceMs / 4)),
  );
  timer.unref();
  return controller.signal;
}
