/** A compile server from its launch order to its end, as the primary knows it. */

import type { Instance } from '../drivers/driver.ts';
import type { Phase } from '../rule/rule.ts';

/**
 * `launching`: ordered. `registered`: it proved who it is. `certified`: it has its certificate. `warming`: it checks in and does not
 * serve yet. `draining`: it is told to leave. `stopped`: it said that it stops, without an order: it may come back. `lost`: silent. A member
 * that is gone is removed.
 */
export type LifecycleState =
  | 'launching'
  | 'registered'
  | 'certified'
  | 'warming'
  | 'serving'
  | 'draining'
  | 'stopped'
  | 'lost';

export interface Member {
  /** The id of its launch order; the certname of a server that others started. */
  readonly key: string;
  /** By which the rule knows its order; absent for a server that others started. */
  readonly slot: number | undefined;
  readonly certname: string;
  readonly state: LifecycleState;
  /** Why it is in that state, in words. */
  readonly cause: string;
  readonly since: string;
  readonly hasServed: boolean;
  /** Whether the driver has listed an instance for it. */
  readonly wasListed: boolean;
  /** Why it is told to leave. */
  readonly leaving: string | undefined;
  /** Why its instance has to end, and its certificate with it. There is no way back. */
  readonly ending: string | undefined;
  /** When the order was given, on a clock that is never moved; not stored. */
  readonly orderedMs: number | undefined;
  /** When the driver got the order last; not stored. */
  readonly launchedMs: number | undefined;
  /** When the driver said first that the instance does not exist; not stored. */
  readonly missingMs: number | undefined;
}

/** What the register of servers says about one. */
export interface ServerFact {
  readonly certname: string;
  /** As in `infrastructure status`. */
  readonly state: string;
  /** How the rule counts it; absent where it does not. */
  readonly phase: Phase | undefined;
  readonly isOrderedToLeave: boolean;
  /** Messages that it keeps for the primary. */
  readonly undelivered: number;
  readonly silentMs: number;
}

/** What is known about one member at a moment. */
export interface Facts {
  /** Absent before it has a certificate, and after it has left. */
  readonly server: ServerFact | undefined;
  readonly instance: Instance | 'missing' | 'unknown';
  /** Whether its proof was accepted. */
  readonly isGranted: boolean;
  /** Why the last launch failed. */
  readonly failure: { readonly message: string; readonly isFinal: boolean } | undefined;
  /** Whether its traces were removed after its instance ended. */
  readonly isForgotten: boolean;
}

const silent: readonly string[] = ['joining', 'stopped', 'drained', 'unreachable'];

/** Whether it got a certificate. */
export function isCertified({ state }: Pick<Member, 'state'>): boolean {
  return state !== 'launching' && state !== 'registered';
}

/** Whether a server can be told something. */
export function isInContact({ state }: ServerFact): boolean {
  return !silent.includes(state);
}
