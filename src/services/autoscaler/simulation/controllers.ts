/** What decides how many servers there are: our rule, and models of what platforms do with a number. */

import type { Demand } from '../number/demand.ts';
import type { HoldKind } from '../rule/holds.ts';
import { decide, firstState, type RuleState, type SeenServer } from '../rule/rule.ts';
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

/** Our rule, with a driver that does what it orders. */
export function ruleController({ limits, random, workers }: ControllerOptions): Controller {
  let state: RuleState = firstState;
  return {
    name: 'rule',
    step(view) {
      // The rule runs in the primary.
      if (view.demand === undefined) return nothing;
      const lost = view.servers.filter(({ phase }) => phase === 'lost').length;
      const seen = {
        ...view,
        lost,
        silentShare: 0,
        isPaused: false,
        isIncomplete: false,
        workersPerServer: workers,
        limits,
      };
      const decision = decide(state, seen, random);
      ({ state } = decision);
      return {
        launch: decision.orders.flatMap((order) => (order.kind === 'launch' ? [order.slot] : [])),
        drain: decision.orders.flatMap((order) => (order.kind === 'drain' ? [order.server] : [])),
        end: decision.orders.flatMap((order) => (order.kind === 'end' ? [order.slot] : [])),
        holds: decision.holds.map(({ kind }) => kind),
      };
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
