/**
 * When a connection is refused, in the order in which this is asked.
 *
 * An agent whose connection is closed after the upgrade is back after 0.2 s, at the same broker; one whose upgrade is refused goes
 * on to the next broker of its list, and waits longer each time. So a refusal that may pass is an answer of HTTP, and only what the
 * client alone can mend is a close code.
 */

export type Refusal =
  | { readonly kind: 'http'; readonly status: number; readonly text: string }
  | { readonly kind: 'close'; readonly code: number; readonly text: string };

export const notRunning = 'Broker is not running.';
export const noControllers = 'All controllers disconnected.';

export interface Situation {
  readonly isRunning: boolean;
  readonly hasCertificate: boolean;
  readonly isIsolated: boolean;
  readonly isFull: boolean;
  /** Only asked for clients with a certificate. */
  mayAssociate(): boolean;
}

export function refusalOf(situation: Situation): Refusal | undefined {
  if (!situation.isRunning) return elsewhere(notRunning);
  if (!situation.hasCertificate) return { kind: 'close', code: 4003, text: 'No client certificate.' };
  if (situation.isIsolated) return elsewhere(noControllers);
  if (situation.isFull) return elsewhere('Connection limit exceeded.');
  if (!situation.mayAssociate()) return { kind: 'close', code: 4002, text: 'Association unsuccessful.' };
  return undefined;
}

function elsewhere(text: string): Refusal {
  return { kind: 'http', status: 503, text };
}
