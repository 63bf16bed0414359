/**
 * The controller: a pure function from a state and what is seen to a state and effects. It joins the life of each server with the rule, which
 * says how many there should be. The primary runs it against real servers and a driver, `simulate` and tests in virtual time.
 */

import type { Instance } from '../drivers/driver.ts';
import { type Decision, decide, firstState, type Observation, type RuleState } from '../rule/rule.ts';
import { advance, type Effect, effectsOf, isGone, type LifecycleOptions, type Moment } from './lifecycle.ts';
import type { Facts, Member, ServerFact } from './member.ts';

export interface PoolState {
  readonly rule: RuleState;
  readonly members: ReadonlyMap<string, Member>;
  /** Instances that belong to no order, and when they were seen first. */
  readonly strays: ReadonlyMap<string, number>;
  /** How long the last launches took. */
  readonly leadsMs: readonly number[];
  /** Orders whose launch failed since the rule was asked: it is asked less often than servers are looked at. */
  readonly failed: readonly number[];
}

export interface PoolSeen extends Moment {
  readonly servers: readonly ServerFact[];
  /** `undefined` when the driver cannot say: nothing is concluded from that. */
  readonly instances: readonly Instance[] | undefined;
  /** Certnames whose proof was accepted. */
  readonly granted: ReadonlySet<string>;
  /** Launches that failed since the last time, by key. */
  readonly failures: ReadonlyMap<string, NonNullable<Facts['failure']>>;
  /** Members whose traces were removed since they began to end. */
  readonly forgotten: ReadonlySet<string>;
  /** For the rule; absent where only servers are looked at. */
  readonly rule: Omit<Observation, 'nowMs' | 'servers' | 'failed' | 'leadMs'> | undefined;
}

export interface PoolOptions extends LifecycleOptions {
  readonly assumedLeadMs: number;
  readonly leastLeadMs: number;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** A key that was never used. */
  readonly newKey: (slot: number) => string;
  readonly certnameOf: (key: string) => string;
}

export interface PoolStep {
  readonly state: PoolState;
  readonly effects: readonly Effect[];
  /** Members that are gone, with their last cause. */
  readonly gone: readonly Member[];
  readonly decision: Decision | undefined;
}

/** An instance without an order ends when it was seen for so long: an order may be stored a moment after. */
const strayMs = 30_000;
const knownLeads = 50;

/** @param members - as they were stored @param nowMs - their orders count from now on */
export function restoredState(members: readonly Member[], nowMs: number): PoolState {
  const slots = members.flatMap(({ slot }) => slot ?? []);
  const launches = members.flatMap(({ ending, hasServed, slot }) =>
    slot === undefined || hasServed || ending !== undefined ? [] : [{ slot, orderedMs: nowMs }],
  );
  return {
    rule: { ...firstState, nextSlot: Math.max(0, ...slots) + 1, launches },
    members: new Map(members.map((member) => [member.key, member])),
    strays: new Map(),
    leadsMs: [],
    failed: [],
  };
}

/** How long launches take: nine of ten are faster. */
export function leadOf({ leadsMs }: Pick<PoolState, 'leadsMs'>, assumedMs: number): number {
  const sorted = leadsMs.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.9)] ?? assumedMs;
}

export function control(before: PoolState, seen: PoolSeen, options: PoolOptions): PoolStep {
  const known = withUnknown(before.members, seen);
  const look = lookFor(seen, options);
  const looked = Array.from(known.values(), (member) => {
    const facts = look(member);
    return { facts, member: advance(member, facts, seen, options) };
  });
  const isOver = ({ facts, member }: Seen) => isGone(member, facts, options);
  const gone = looked.filter(isOver).map(({ member }) => member);
  const there = looked.filter((each) => !isOver(each));
  const failed = [...before.failed, ...failedIn(before, seen)];
  const rule = withoutGone(before.rule, gone, failed);
  const decision = decideFor({ ...before, rule, failed }, there, seen, options);
  const ordered = applied(there, decision, seen, options);
  const { ends, strays } = straysIn(before, ordered, seen, options);
  const { effects, members } = doing(ordered, seen, options);
  const leads = looked.flatMap(({ member }) => newLead(known.get(member.key), member, seen.nowMs));
  return {
    state: {
      rule: decision === undefined ? rule : decision.state,
      failed: decision === undefined ? failed : [],
      members,
      strays,
      leadsMs: [...before.leadsMs, ...leads].slice(-knownLeads),
    },
    effects: [...effects, ...ends],
    gone,
    decision,
  };
}

interface Seen {
  readonly member: Member;
  readonly facts: Facts;
}

/** Servers that others started are members as soon as they are known. */
function withUnknown(members: PoolState['members'], { at, nowMs, servers }: PoolSeen): Map<string, Member> {
  const names = new Set(Array.from(members.values(), ({ certname }) => certname));
  const others = servers.filter(({ certname }) => !names.has(certname));
  return new Map([
    ...members,
    ...others.map(
      ({ certname }) => [certname, newMember(certname, certname, undefined, { at, nowMs })] as const,
    ),
  ]);
}

function newMember(key: string, certname: string, slot: number | undefined, { at, nowMs }: Moment): Member {
  return {
    key,
    slot,
    certname,
    state: 'launching',
    cause: slot === undefined ? 'it is known' : 'more servers are wanted',
    since: at,
    hasServed: false,
    wasListed: false,
    leaving: undefined,
    ending: undefined,
    orderedMs: nowMs,
    launchedMs: undefined,
    missingMs: undefined,
  };
}

function lookFor(seen: PoolSeen, { countedBy }: PoolOptions): (member: Member) => Facts {
  const servers = new Map(seen.servers.map((server) => [server.certname, server]));
  const byOrder = new Map(seen.instances?.map((instance) => [instance.orderId, instance]));
  const byName = new Map(seen.instances?.map((instance) => [instance.certname, instance]));
  return ({ certname, key, slot, wasListed }) => {
    const listed = byOrder.get(key) ?? byName.get(certname);
    const isExpected = wasListed || (slot !== undefined && countedBy === 'primary');
    const unlisted = seen.instances !== undefined && isExpected ? 'missing' : 'unknown';
    return {
      server: servers.get(certname),
      instance: listed ?? unlisted,
      isGranted: seen.granted.has(certname),
      failure: seen.failures.get(key),
      isForgotten: seen.forgotten.has(key),
    };
  };
}

function failedIn({ members }: PoolState, { failures }: PoolSeen): readonly number[] {
  return Array.from(failures.keys()).flatMap((key) => members.get(key)?.slot ?? []);
}

/** Forgets launches whose server came and left since the last decision. */
function withoutGone(rule: RuleState, gone: readonly Member[], failed: readonly number[]): RuleState {
  const slots = new Set(gone.map(({ slot }) => slot));
  const isThere = ({ slot }: RuleState['launches'][number]) => !slots.has(slot) || failed.includes(slot);
  return slots.size === 0 ? rule : { ...rule, launches: rule.launches.filter(isThere) };
}

function decideFor(
  { failed, leadsMs, rule }: PoolState,
  there: readonly Seen[],
  { nowMs, rule: situation }: PoolSeen,
  { assumedLeadMs, countedBy, leastLeadMs, random }: PoolOptions,
): Decision | undefined {
  if (situation === undefined) return undefined;
  const servers = there.flatMap(({ facts: { server }, member }) => {
    const { certname, ending, slot } = member;
    const phase = ending === undefined ? (server === undefined ? 'launching' : server.phase) : 'draining';
    if (phase === undefined) return [];
    // The advice to people does not choose among servers.
    const ofOrder = countedBy === 'people' ? 0 : slot;
    return [{ id: certname, phase, ...(ofOrder === undefined ? {} : { slot: ofOrder }) }];
  });
  const leadMs = Math.max(leastLeadMs, leadOf({ leadsMs }, assumedLeadMs));
  const decision = decide(rule, { ...situation, nowMs, servers, failed, leadMs }, random);
  if (countedBy === 'primary') return decision;
  // Only advice: it is given anew each time.
  const unused = { ordered: [], launches: [], drained: [], ended: [], failures: 0, lastInMs: undefined };
  return { ...decision, state: { ...decision.state, ...unused } };
}

/** The members after the orders of the rule. */
function applied(
  there: readonly Seen[],
  decision: Decision | undefined,
  seen: PoolSeen,
  { certnameOf, countedBy, newKey }: PoolOptions,
): readonly Seen[] {
  if (decision === undefined || countedBy !== 'primary') return there;
  const drained = new Set(decision.orders.flatMap((order) => (order.kind === 'drain' ? [order.server] : [])));
  const ended = new Set(decision.orders.flatMap((order) => (order.kind === 'end' ? [order.slot] : [])));
  const launched = decision.orders.flatMap((order) => {
    if (order.kind !== 'launch') return [];
    const key = newKey(order.slot);
    const unknown = { server: undefined, instance: 'unknown', failure: undefined } as const;
    const facts: Facts = { ...unknown, isGranted: false, isForgotten: false };
    return [{ member: newMember(key, certnameOf(key), order.slot, seen), facts }];
  });
  return [
    ...there.map(({ facts, member }): Seen => {
      const isLate = member.slot !== undefined && ended.has(member.slot);
      const ending = member.ending ?? (isLate ? 'it did not serve in time' : undefined);
      const leaving =
        member.leaving ?? (drained.has(member.certname) ? 'fewer servers are wanted' : undefined);
      return { facts, member: { ...member, ending, leaving } };
    }),
    ...launched,
  ];
}

function doing(
  ordered: readonly Seen[],
  { nowMs }: PoolSeen,
  options: PoolOptions,
): { readonly effects: readonly Effect[]; readonly members: ReadonlyMap<string, Member> } {
  const effects: Effect[] = [];
  const members = new Map<string, Member>();
  for (const { facts, member } of ordered) {
    const own = effectsOf(member, facts, nowMs, options);
    effects.push(...own);
    const isLaunched = own.some(({ kind }) => kind === 'launch');
    members.set(member.key, isLaunched ? { ...member, launchedMs: nowMs } : member);
  }
  return { effects, members };
}

/** Instances of orders that are over, and of orders that were never stored. */
function straysIn(
  { strays: before }: PoolState,
  ordered: readonly Seen[],
  { instances, nowMs, servers }: PoolSeen,
  { countedBy }: PoolOptions,
): { readonly ends: readonly Effect[]; readonly strays: PoolState['strays'] } {
  if (countedBy !== 'primary') return { ends: [], strays: new Map() };
  if (instances === undefined) return { ends: [], strays: before };
  const keys = new Set(ordered.map(({ member }) => member.key));
  const names = new Set(servers.map(({ certname }) => certname));
  const strays = instances.filter(
    ({ certname, orderId }) =>
      orderId !== undefined && !keys.has(orderId) && (certname === undefined || !names.has(certname)),
  );
  const since = new Map(strays.map(({ id }) => [id, before.get(id) ?? nowMs]));
  const due = strays.filter(({ id }) => nowMs - (since.get(id) ?? nowMs) >= strayMs);
  return {
    strays: since,
    ends: due.map(({ id }): Effect => ({ kind: 'end', key: id, instance: id })),
  };
}

function newLead(
  before: Member | undefined,
  { hasServed, orderedMs, slot }: Member,
  nowMs: number,
): readonly number[] {
  const isNew = slot !== undefined && hasServed && before?.hasServed === false;
  return isNew && orderedMs !== undefined ? [nowMs - orderedMs] : [];
}
