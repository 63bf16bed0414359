/**
 * The life of one compile server: a pure function from what was known and what is seen to its state, and to what has to be done.
 *
 * What has to be done is said again and again until it is seen to be done. So it does not matter which process ends when: the next one sees
 * what is left to do. A shutdown is not a departure: only an order, or the platform, ends a server.
 */

import type { CountedBy, LaunchOrder } from '../drivers/driver.ts';
import { type Facts, isCertified, isInContact, type LifecycleState, type Member } from './member.ts';

export type Effect =
  /** Make an instance for an order, or start the one that exists. */
  | { readonly kind: 'launch'; readonly key: string; readonly order: LaunchOrder }
  | { readonly kind: 'end'; readonly key: string; readonly instance: string }
  /** Tell a server to drain and to leave. */
  | { readonly kind: 'leave'; readonly key: string; readonly certname: string; readonly cause: string }
  /** Revoke the certificate and remove every trace, without asking the server. */
  | { readonly kind: 'forget'; readonly key: string; readonly certname: string; readonly cause: string };

export interface LifecycleOptions {
  readonly countedBy: CountedBy;
  /** A server that is silent for so long is given up; absent for never. */
  readonly lostTimeoutMs: number | undefined;
}

export interface Moment {
  /** On a clock that is never moved. */
  readonly nowMs: number;
  /** The time of day, for people. */
  readonly at: string;
}

/** Two looks at the platform, so far apart, have to agree that an instance does not exist. */
const confirmMs = 60_000;
/** A platform may take so long to list an instance. */
const relaunchMs = 30_000;
/** A server that ends at once is not started all the time. */
const restartMs = 5000;

/** The member after what is seen. */
export function advance(member: Member, facts: Facts, now: Moment, options: LifecycleOptions): Member {
  const [state, cause] = stateOf(member, facts);
  const isSame = state === member.state;
  const next: Member = {
    ...member,
    state,
    cause: isSame ? member.cause : cause,
    since: isSame ? member.since : now.at,
    hasServed: member.hasServed || state === 'serving',
    wasListed: member.wasListed || typeof facts.instance === 'object',
    leaving: member.leaving ?? (facts.server?.isOrderedToLeave === true ? 'it is ordered to' : undefined),
    missingMs: missingSince(member, facts, now.nowMs),
  };
  return { ...next, ending: member.ending ?? reasonToEnd(next, facts, now, options) };
}

function stateOf({ cause, state }: Member, { isGranted, server }: Facts): readonly [LifecycleState, string] {
  if (server === undefined) {
    if (state !== 'launching') return [state, cause];
    return isGranted ? ['registered', 'its proof was accepted'] : [state, cause];
  }
  switch (server.state) {
    case 'joining':
      return ['certified', 'its certificate is signed'];
    case 'running':
      return ['serving', 'its health checks succeed'];
    case 'leaving':
    case 'drained':
      return ['draining', 'it was told to leave'];
    case 'stopping':
    case 'stopped':
      return server.isOrderedToLeave
        ? ['draining', 'it was told to leave']
        : ['stopped', 'it stops without an order to leave'];
    case 'unreachable':
      return ['lost', 'it is silent'];
    default:
      return ['warming', server.state === 'starting' ? 'it checks in' : 'its health checks fail'];
  }
}

function missingSince(member: Member, { instance, server }: Facts, nowMs: number): number | undefined {
  if (instance === 'unknown') return member.missingMs;
  // A server that talks exists, whatever the platform says.
  const isMissing =
    instance === 'missing' && member.wasListed && (server === undefined || !isInContact(server));
  return isMissing ? (member.missingMs ?? nowMs) : undefined;
}

function reasonToEnd(
  member: Member,
  { failure, instance, server }: Facts,
  { nowMs }: Moment,
  { lostTimeoutMs }: LifecycleOptions,
): string | undefined {
  const wasCertified = isCertified(member);
  if (failure !== undefined && (failure.isFinal || !wasCertified))
    return `its launch failed: ${failure.message}`;
  if (wasCertified && server === undefined) return 'it has left';
  // An order without an instance is carried out again, until the rule gives it up.
  if (wasCertified && member.missingMs !== undefined && nowMs - member.missingMs >= confirmMs)
    return 'the platform says that it does not exist';
  if (server === undefined || isInContact(server)) return undefined;
  const isStopped = typeof instance === 'object' && instance.state === 'stopped';
  if (server.isOrderedToLeave && isStopped && server.undelivered === 0)
    return 'it ended after it was told to leave';
  if (lostTimeoutMs !== undefined && server.state === 'unreachable' && server.silentMs >= lostTimeoutMs)
    return `it was silent for ${Math.round(lostTimeoutMs / 1000)} s`;
  return undefined;
}

/** What has to be done for a member. */
export function effectsOf(
  member: Member,
  { instance, isForgotten, server }: Facts,
  nowMs: number,
  options: LifecycleOptions,
): readonly Effect[] {
  const { certname, ending, key, leaving } = member;
  if (ending !== undefined) {
    if (typeof instance === 'object')
      return mayEnd(member, options) ? [{ kind: 'end', key, instance: instance.id }] : [];
    // A server that still runs would ask for another certificate.
    const hasEnded = instance === 'missing' || options.countedBy === 'people';
    const leavesTraces = server !== undefined || (!isCertified(member) && !isForgotten);
    return hasEnded && leavesTraces ? [{ kind: 'forget', key, certname, cause: ending }] : [];
  }
  const isEndingThere = typeof instance === 'object' && instance.state === 'ending';
  const cause = leaving ?? (isEndingThere ? 'the platform ends it' : undefined);
  if (cause !== undefined && server !== undefined && isInContact(server) && !server.isOrderedToLeave)
    return [{ kind: 'leave', key, certname, cause }];
  return lacksProcess(member, instance, nowMs, options)
    ? [{ kind: 'launch', key, order: { id: key, certname } }]
    : [];
}

/** A platform that counts by itself keeps an instance whose server has only lost its certificate: it may join again. */
function mayEnd({ leaving, slot }: Member, { countedBy }: LifecycleOptions): boolean {
  return leaving !== undefined || (countedBy === 'primary' && slot !== undefined);
}

/** Whether an order has to be given to the driver, again or for the first time. */
function lacksProcess(
  member: Member,
  instance: Facts['instance'],
  nowMs: number,
  { countedBy }: LifecycleOptions,
): boolean {
  const { launchedMs, slot } = member;
  if (countedBy !== 'primary' || slot === undefined) return false;
  const sinceMs = launchedMs === undefined ? Number.POSITIVE_INFINITY : nowMs - launchedMs;
  if (typeof instance === 'object') return instance.state === 'stopped' && sinceMs >= restartMs;
  if (isCertified(member)) return false;
  return instance === 'missing' ? sinceMs >= relaunchMs : launchedMs === undefined;
}

/** Whether nothing of it is left. */
export function isGone(
  member: Member,
  { instance, isForgotten, server }: Facts,
  options: LifecycleOptions,
): boolean {
  if (member.ending === undefined || server !== undefined) return false;
  if (typeof instance === 'object' && mayEnd(member, options)) return false;
  if (instance === 'unknown' && options.countedBy === 'primary' && member.slot !== undefined) return false;
  return isCertified(member) || isForgotten;
}
