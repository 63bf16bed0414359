/** The result of the task `bunraku::agent` as a sentence that administrators know. */

import { ageText } from './time.ts';

/** @returns `undefined` for any other result */
export function agentMessage(
  result: Readonly<Record<string, unknown>> | undefined,
  now: Date,
): string | undefined {
  if (result === undefined || typeof result['enabled'] !== 'boolean') return undefined;
  const { enabled, last_run: lastRun, message, running } = result;
  if (!enabled) return `Disabled${typeof message === 'string' ? `: ${message}` : ''}`;
  const doing = running === true ? 'Currently applying a catalog' : 'Currently idling';
  const time = timeOf(lastRun);
  return time === undefined
    ? `${doing}; no run has been completed yet`
    : `${doing}; last completed run ${ageText(new Date(time), now)}`;
}

function timeOf(lastRun: unknown): string | undefined {
  if (typeof lastRun !== 'object' || lastRun === null || !('time' in lastRun)) return undefined;
  return typeof lastRun.time === 'string' ? lastRun.time : undefined;
}
