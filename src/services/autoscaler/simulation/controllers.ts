/** What decides how many servers there are: our rule, and models of what platforms do with a number. */

import type { Demand } from '../number/demand.ts';
import { control, type PoolSeen, type PoolState, restoredState } from '../pool/control.ts';
import type { Effect } from '../pool/lifecycle.ts';
import type { Member } from '../pool/member.ts';
import type { HoldKind } from '../rule/holds.ts';
import type { SeenServer } from '../rule/rule.ts';
import type { Limits } from '../rule/wanted.ts';

/** What a controller sees. */
export interface View {
  readonly nowMs: number;
  readonly servers: readonly SeenServer[];
  /** Absent while the primary is away. */
  readonly demand: Demand | undefined;
  /** The share of the time that workers were busy in the last minute. */
  readonly busyShare: number;
  readonly failed: readonly number[];
  readonly leadMs: number;
  readonly sinceDeployMs: number | undefined;
  /** Of the primary. */
  readonly uptimeMs: number;
}

export interface Steps {
  /** Servers to launch, by slot. */
  readonly launch: readonly number[];
  /** Servers to drain. */
  readonly drain: readonly string[];
  /** Launches to give up, by slot. */
  readonly end: readonly number[];
  readonly holds: readonly HoldKind[];
}

export interface Controller {
  readonly name: string;
  step(view: View): Steps;
}

export interface ControllerOptions {
  readonly limits: Limits;
  readonly workers: number;
  readonly target: number;
  readonly random: () => number;
}

const minuteMs = 60_000;
const nothing: Steps = { launch: [], drain: [], end: [], holds: [] };

/** The primary's own controller, with a driver that follows orders. */
export function ruleController({ limits, random, workers }: ControllerOptions): Controller {
  let state: PoolState | undefined;
  const forgotten = new Set<string>();
  const options = {
    countedBy: 'primary',
    lostTimeoutMs: undefined,
    assumedLeadMs: 0,
    leastLeadMs: 0,
    random,
    newKey: keyOf,
    certnameOf: (key: string) => key,
  } as const;
  return {
    name: 'rule',
    step(view) {
      // The controller runs in the primary.
      if (view.demand === undefined) return nothing;
      state ??= restoredState(view.servers.map(firstMember), view.nowMs);
      const step = control(state, seenIn(view, { forgotten, limits, workers }), {
        ...options,
        assumedLeadMs: view.leadMs,
      });
      ({ state } = step);
      const slots = (kind: Effect['kind']) =>
        step.effects.flatMap(({ key, kind: own }) =>
          own === kind ? (state?.members.get(key)?.slot ?? []) : [],
        );
      for (const { key, kind } of step.effects) if (kind === 'forget') forgotten.add(key);
      const leaving = new Set(slots('leave'));
      return {
        launch: slots('launch'),
        drain: view.servers.flatMap(({ id, slot }) => (slot !== undefined && leaving.has(slot) ? [id] : [])),
        end: slots('end'),
        holds: step.decision?.holds.map(({ kind }) => kind) ?? [],
      };
    },
  };
}

function keyOf(slot: number): string {
  return `slot ${slot}`;
}

/** The day begins with servers that serve. */
function firstMember({ slot = 0 }: SeenServer): Member {
  const unknown = { leaving: undefined, ending: undefined, orderedMs: undefined, launchedMs: undefined };
  const place = { key: keyOf(slot), slot, certname: keyOf(slot) };
  const past = { state: 'serving', cause: '', since: '', hasServed: true, wasListed: true } as const;
  return { ...place, ...past, ...unknown, missingMs: undefined };
}

const states = { warming: 'starting', serving: 'running', draining: 'leaving', lost: 'unreachable' } as const;

function seenIn(
  view: View,
  {
    forgotten,
    limits,
    workers,
  }: { readonly forgotten: ReadonlySet<string>; readonly limits: Limits; readonly workers: number },
): PoolSeen {
  const servers = view.servers.flatMap(({ phase, slot = 0 }) => {
    if (phase === 'launching') return [];
    const fact = { isOrderedToLeave: phase === 'draining', undelivered: 0, silentMs: 0 };
    return [{ certname: keyOf(slot), state: states[phase], phase, ...fact }];
  });
  return {
    nowMs: view.nowMs,
    at: '',
    servers,
    instances: view.servers.map(({ slot = 0 }) => ({
      id: keyOf(slot),
      orderId: keyOf(slot),
      state: 'running',
    })),
    granted: new Set(),
    failures: new Map(view.failed.map((slot) => [keyOf(slot), { message: 'it failed', isFinal: false }])),
    forgotten,
    rule: {
      demand: view.demand,
      workersPerServer: workers,
      limits,
      sinceDeployMs: view.sinceDeployMs,
      uptimeMs: view.uptimeMs,
      lost: view.servers.filter(({ phase }) => phase === 'lost').length,
      silentShare: 0,
      isPaused: false,
      isIncomplete: false,
    },
  };
}

/**
 * A group of AWS with target tracking: three minutes above the target add servers, fifteen below nine tenths of it remove some.
 * It counts servers that are launching, and replaces those that vanish.
 */
export function groupController(
  name: string,
  metric: (view: View) => number | undefined,
  { limits, target }: ControllerOptions,
): Controller {
  const points: number[] = [];
  let desired = limits.min;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    name,
    step(view) {
      if (view.nowMs - lastMs < minuteMs) return toDesired(desired, view);
      lastMs = view.nowMs;
      const value = metric(view);
      const serving = view.servers.filter(({ phase }) => phase === 'serving').length;
      if (value === undefined) return toDesired(desired, view);
      points.push(value);
      const recent = points.slice(-15);
      if (recent.length >= 3 && recent.slice(-3).every((each) => each > target))
        desired = Math.max(desired, Math.ceil((serving * value) / target));
      else if (recent.length === 15 && recent.every((each) => each < 0.9 * target) && serving >= desired) {
        desired = Math.ceil((serving * value) / target);
        // The alarm has to be raised anew.
        points.length = 0;
      }
      desired = Math.min(limits.max, Math.max(limits.min, desired));
      return toDesired(desired, view);
    },
  };
}

/** The HPA on an external metric with `AverageValue`: each 15 s, removals held back for half an hour. */
export function podController({ limits, target, workers }: ControllerOptions): Controller {
  const past: { readonly atMs: number; readonly servers: number }[] = [];
  return {
    name: 'hpa',
    step(view) {
      const { demand, nowMs, servers } = view;
      if (demand === undefined) return nothing;
      const count = servers.filter(({ phase }) => phase === 'serving' || phase === 'launching').length;
      const each = target * workers;
      const ratio = demand.demandWorkers / (each * Math.max(1, count));
      const wished = Math.abs(ratio - 1) <= 0.1 ? count : Math.ceil(demand.demandWorkers / each);
      past.push({ atMs: nowMs, servers: wished });
      while ((past[0]?.atMs ?? nowMs) < nowMs - 30 * minuteMs) past.shift();
      const held = past.reduce((most, at) => Math.max(most, at.servers), 0);
      const most = Math.max(2 * count, count + 4);
      const desired = wished > count ? Math.min(wished, most) : Math.min(count, held);
      return toDesired(Math.min(limits.max, Math.max(limits.min, desired)), view);
    },
  };
}

function toDesired(desired: number, { servers }: View): Steps {
  const there = servers.filter(({ phase }) => phase === 'serving' || phase === 'launching');
  const serving = there.filter(({ phase }) => phase === 'serving').map(({ id }) => id);
  const highest = servers.reduce((most, { slot = 0 }) => Math.max(most, slot), 0);
  const surplus = Math.max(0, there.length - desired);
  return {
    ...nothing,
    launch: Array.from({ length: Math.max(0, desired - there.length) }, (_, index) => highest + index + 1),
    drain: surplus === 0 ? [] : serving.slice(-surplus),
  };
}
