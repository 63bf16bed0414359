/** Compile servers of the register, as the autoscaler counts them. */

import type { PoolServer } from '../../services/autoscaler/index.ts';
import type { RegisteredServer } from '../infrastructure/infrastructure.ts';

const phases: Readonly<Record<string, PoolServer['phase']>> = {
  joining: 'warming',
  starting: 'warming',
  running: 'serving',
  leaving: 'draining',
  stopping: 'draining',
  unreachable: 'lost',
  // Load balancers leave it out; it may heal.
  error: 'lost',
  unknown: 'lost',
};
/** A server that has joined and was not started by then does not come. */
const patienceMs = 10 * 60_000;

/** @returns `undefined` for a server that does not count: it stopped, drained, or never came */
export function inPool({ certname, report, silentMs, state }: RegisteredServer): PoolServer | undefined {
  const phase = phases[state];
  if (phase === undefined || (state === 'joining' && silentMs > patienceMs)) return undefined;
  const workers = report?.load.workers ?? 0;
  return { certname, phase, silentMs, workers, eventLoop: report?.work?.event_loop };
}
