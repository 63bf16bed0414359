/**
 * The rule: a pure function from a state and an observation to orders. It adds servers at once, removes them slowly, and keeps them in doubt.
 *
 * A server that the rule orders has a slot: the number of the order, by which a driver knows a repetition.
 */

import type { Demand } from '../number/demand.ts';
import { type Hold, holdsOf, type Situation } from './holds.ts';
import { type Limits, wantedServers } from './wanted.ts';

/** `launching`: ordered; `warming`: has its certificate and does not serve yet. */
export type Phase = 'launching' | 'warming' | 'serving' | 'draining' | 'lost';

export interface SeenServer {
  readonly id: string;
  readonly phase: Phase;
  /** The order that it came from; absent for servers that people started. */
  readonly slot?: number;
}

export interface Observation extends Situation {
  /** On a clock that is never moved. */
  readonly nowMs: number;
  readonly servers: readonly SeenServer[];
  /** Absent when numbers are missing. */
  readonly demand: Demand | undefined;
  readonly workersPerServer: number;
  readonly limits: Limits;
  /** Orders to launch that failed since the last observation. */
  readonly failed: readonly number[];
  /** How long launches take: nine of ten are faster. */
  readonly leadMs: number;
}

export type Order =
  | { readonly kind: 'launch'; readonly slot: number }
  /** Drain, then end. */
  | { readonly kind: 'drain'; readonly server: string }
  /** Ends a launch whose server never served. */
  | { readonly kind: 'end'; readonly slot: number };

/** An order to launch a server that has not served yet. */
interface Launch {
  readonly slot: number;
  readonly orderedMs: number;
}

export interface RuleState {
  readonly nextSlot: number;
  readonly launches: readonly Launch[];
  /** Servers that were told to drain. */
  readonly drained: readonly string[];
  /** Launches whose servers never served, until these are gone. */
  readonly ended: readonly number[];
  /** The recent wanted numbers, the oldest first. */
  readonly wanted: readonly { readonly atMs: number; readonly servers: number }[];
  /** When servers were ordered in the last minute. */
  readonly ordered: readonly number[];
  readonly lastInMs: number | undefined;
  /** Launches that failed one after the other. */
  readonly failures: number;
  readonly retryMs: number;
}

export interface Decision {
  readonly state: RuleState;
  readonly orders: readonly Order[];
  /** How many servers there should be now. */
  readonly wanted: number;
  /** The reasons why the number of servers differs from that. */
  readonly holds: readonly Hold[];
}

export const firstState: RuleState = {
  nextSlot: 1,
  launches: [],
  drained: [],
  ended: [],
  wanted: [],
  ordered: [],
  lastInMs: undefined,
  failures: 0,
  retryMs: 0,
};

const minuteMs = 60_000;
/** A server goes when it was not wanted for so long: one run interval, less when the next peak is known. */
const patienceMs = 30 * minuteMs;
const trustedPatienceMs = 10 * minuteMs;
/** At most double, or so many more, in a minute. */
const freeGrowth = 4;
/** Of the servers, at least one, may drain at the same time. */
const drainingShare = 0.1;
const leastLaunchMs = 5 * minuteMs;
const firstBackoffMs = 10_000;
const mostBackoffMs = 5 * minuteMs;

/** @param random - between 0 and 1; spreads attempts after failures */
export function decide(before: RuleState, seen: Observation, random: () => number): Decision {
  const { ended, state: looked } = lookAtLaunches(before, seen, random);
  const servers = countOf(looked, seen);
  const { demand, limits, nowMs, workersPerServer } = seen;
  const wanted =
    demand === undefined
      ? Math.min(limits.max, Math.max(limits.min, servers))
      : wantedServers(demand, servers, workersPerServer, limits);
  const state = { ...looked, wanted: noteWanted(looked.wanted, nowMs, wanted) };
  const holds = holdsOf({ ...seen, isIncomplete: seen.isIncomplete || demand === undefined });
  const ends = ended.map((slot): Order => ({ kind: 'end', slot }));
  if (wanted > servers) return grow(state, seen, { servers, wanted, ends });
  return shrink(state, seen, { servers, wanted, ends, holds });
}

interface Step {
  readonly servers: number;
  readonly wanted: number;
  readonly ends: readonly Order[];
}

function grow(
  state: RuleState,
  { isPaused, limits, nowMs }: Observation,
  { ends, servers, wanted }: Step,
): Decision {
  const ordered = state.ordered.filter((atMs) => nowMs - atMs < minuteMs);
  const aMinuteAgo = Math.max(0, servers - ordered.length);
  const allowed = Math.max(2 * aMinuteAgo, aMinuteAgo + freeGrowth, limits.min) - servers;
  const count = Math.max(0, Math.min(wanted - servers, allowed));
  const holds: Hold[] = [];
  if (count < wanted - servers)
    holds.push({ kind: 'growth', untilMs: Math.min(...ordered, nowMs) + minuteMs });
  if (state.failures > 0 && nowMs < state.retryMs) holds.push({ kind: 'failures', untilMs: state.retryMs });
  if (isPaused) holds.push({ kind: 'paused', untilMs: undefined });
  if (holds.some(({ kind }) => kind !== 'growth'))
    return { state: { ...state, ordered }, orders: ends, wanted, holds };
  const slots = Array.from({ length: count }, (_, index) => state.nextSlot + index);
  return {
    state: {
      ...state,
      nextSlot: state.nextSlot + count,
      launches: [...state.launches, ...slots.map((slot) => ({ slot, orderedMs: nowMs }))],
      ordered: [...ordered, ...slots.map(() => nowMs)],
    },
    orders: [...ends, ...slots.map((slot): Order => ({ kind: 'launch', slot }))],
    wanted,
    holds,
  };
}

function shrink(
  state: RuleState,
  seen: Observation,
  { ends, holds, servers, wanted }: Step & { readonly holds: readonly Hold[] },
): Decision {
  const { demand, nowMs } = seen;
  const unchanged = { state, orders: ends, wanted, holds: [] };
  if (servers <= wanted) return unchanged;
  if (holds.length > 0) return { ...unchanged, holds };
  const patience = demand?.isPlanTrusted === true ? trustedPatienceMs : patienceMs;
  const recent = state.wanted.filter(({ atMs }) => nowMs - atMs < patience);
  const last = recent.findLast((each) => each.servers >= servers);
  if (last !== undefined)
    return { ...unchanged, holds: [{ kind: 'recent-peak', untilMs: last.atMs + patience }] };
  // Earlier wanted numbers are unknown: they may have been higher.
  const [first] = state.wanted;
  if (first === undefined || nowMs - first.atMs < patience)
    return { ...unchanged, holds: [{ kind: 'recent-peak', untilMs: (first?.atMs ?? nowMs) + patience }] };
  const { lastInMs } = state;
  if (lastInMs !== undefined && nowMs - lastInMs < minuteMs)
    return { ...unchanged, holds: [{ kind: 'one-a-minute', untilMs: lastInMs + minuteMs }] };
  const draining = seen.servers.filter(({ phase }) => phase === 'draining').length;
  if (draining >= Math.max(1, Math.floor(drainingShare * servers)))
    return { ...unchanged, holds: [{ kind: 'draining', untilMs: undefined }] };
  const server = toDrain(state, seen.servers);
  if (server === undefined) return unchanged;
  return {
    ...unchanged,
    state: { ...state, lastInMs: nowMs, drained: [...state.drained, server] },
    orders: [...ends, { kind: 'drain', server }],
  };
}

/** The one that came last: the others are warm. Servers that people started stay. */
function toDrain({ drained }: RuleState, servers: readonly SeenServer[]): string | undefined {
  return servers
    .filter(({ id, phase, slot }) => phase === 'serving' && slot !== undefined && !drained.includes(id))
    .toSorted((a, b) => (b.slot ?? 0) - (a.slot ?? 0))[0]?.id;
}

/** Servers that serve or are on their way, orders included whose servers are not seen yet. */
function countOf({ drained, ended, launches }: RuleState, { servers }: Observation): number {
  const there = servers.filter(
    ({ id, phase, slot = 0 }) =>
      phase !== 'lost' && phase !== 'draining' && !drained.includes(id) && !ended.includes(slot),
  );
  const seen = new Set(servers.map(({ slot }) => slot));
  return there.length + launches.filter(({ slot }) => !seen.has(slot)).length;
}

/** The outcome of earlier orders. */
function lookAtLaunches(
  state: RuleState,
  { failed, leadMs, nowMs, servers }: Observation,
  random: () => number,
): { readonly state: RuleState; readonly ended: readonly number[] } {
  const phases = new Map(servers.map(({ phase, slot }) => [slot, phase]));
  const known = new Set(state.launches.map(({ slot }) => slot));
  const broken = failed.filter((slot) => known.has(slot)).length;
  const pending = state.launches.filter(({ slot }) => {
    const phase = phases.get(slot);
    return !failed.includes(slot) && (phase === undefined || phase === 'launching' || phase === 'warming');
  });
  const served = state.launches.some(({ slot }) => phases.get(slot) === 'serving');
  const patience = Math.max(leastLaunchMs, 2 * leadMs);
  const late = pending.filter(({ orderedMs }) => nowMs - orderedMs >= patience);
  const failures = served ? 0 : state.failures + (broken + late.length > 0 ? 1 : 0);
  const isWorse = failures > state.failures;
  const there = new Set(servers.map(({ id }) => id));
  const ended = late.map(({ slot }) => slot);
  return {
    ended,
    state: {
      ...state,
      launches: pending.filter((launch) => !late.includes(launch)),
      drained: state.drained.filter((id) => there.has(id)),
      ended: [...state.ended.filter((slot) => phases.has(slot)), ...ended],
      failures,
      retryMs: isWorse ? nowMs + backoffMs(failures, random()) : state.retryMs,
    },
  };
}

/** 10 s, doubled with each failure up to 5 minutes, less up to half of it. */
function backoffMs(failures: number, random: number): number {
  return Math.min(mostBackoffMs, firstBackoffMs * 2 ** (failures - 1)) * (1 - random / 2);
}

/** One entry for each change, and for each minute. */
function noteWanted(wanted: RuleState['wanted'], nowMs: number, servers: number): RuleState['wanted'] {
  const last = wanted.at(-1);
  // An earlier entry than the patience needs says that everything since is known.
  const firstKept = wanted.findLastIndex(({ atMs }) => nowMs - atMs >= patienceMs);
  const kept = firstKept > 0 ? wanted.slice(firstKept) : wanted;
  const isSame =
    last?.servers === servers && Math.floor(last.atMs / minuteMs) === Math.floor(nowMs / minuteMs);
  return isSame ? kept : [...kept, { atMs: nowMs, servers }];
}
