/** Holds: reasons not to remove servers, or not to add them as fast as wanted. */

/** The circumstances of a decision. */
export interface Situation {
  /** Since the last deploy; absent when none is known. */
  readonly sinceDeployMs: number | undefined;
  /** Since the primary started. */
  readonly uptimeMs: number;
  /** Servers that vanished without a word, and are not forgotten. */
  readonly lost: number;
  /** The share of servers that have been silent for longer than usual, 0 to 1. */
  readonly silentShare: number;
  readonly isPaused: boolean;
  /** Whether some numbers are missing: the demand may be higher than it seems. */
  readonly isIncomplete: boolean;
}

/**
 * `growth`, `failures`: fewer are added than wanted; all others: none is removed.
 *
 * `recent-peak`: as many were wanted lately. `missing`: there are no numbers to decide by.
 */
export type HoldKind =
  | 'growth'
  | 'failures'
  | 'paused'
  | 'deploy'
  | 'lost-server'
  | 'silent-servers'
  | 'primary-started'
  | 'missing'
  | 'recent-peak'
  | 'one-a-minute'
  | 'draining';

export interface Hold {
  readonly kind: HoldKind;
  /** On the clock of the observation; absent when that is not known. */
  readonly untilMs: number | undefined;
}

const deployMs = 5 * 60_000;
const startMs = 2 * 60_000;
const mostSilent = 0.2;

/** Reasons not to remove servers. */
export function holdsOf({
  isIncomplete,
  isPaused,
  lost,
  nowMs,
  silentShare,
  sinceDeployMs,
  uptimeMs,
}: Situation & {
  readonly nowMs: number;
}): readonly Hold[] {
  const holds: Hold[] = [];
  if (isPaused) holds.push({ kind: 'paused', untilMs: undefined });
  if (isIncomplete) holds.push({ kind: 'missing', untilMs: undefined });
  if (uptimeMs < startMs) holds.push({ kind: 'primary-started', untilMs: nowMs + startMs - uptimeMs });
  if (sinceDeployMs !== undefined && sinceDeployMs < deployMs)
    holds.push({ kind: 'deploy', untilMs: nowMs + deployMs - sinceDeployMs });
  if (lost > 0) holds.push({ kind: 'lost-server', untilMs: undefined });
  if (silentShare > mostSilent) holds.push({ kind: 'silent-servers', untilMs: undefined });
  return holds;
}
