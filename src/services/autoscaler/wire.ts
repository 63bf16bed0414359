/** Bodies of `/autoscaler/v1/*`. */

import { z } from 'zod';
import { firstMistake, JsonBodies } from '../../lib/json-body.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ScalingEntry, ScalingMetric, ScalingSettingsAnswer, ScalingStatus } from './answers/wire.ts';
import type { Assessment } from './autoscaler.ts';
import type { Demand } from './number/demand.ts';
import type { ScalingSettings } from './settings.ts';
import type { StoredEntry } from './store.ts';

const mostServers = 1000;

export const SettingsWire = z.strictObject({
  min: z.int().min(0).max(mostServers).optional(),
  max: z.int().min(1).max(mostServers).optional(),
  target: z.number().min(0.1).max(0.9).optional(),
});

const bodies = new JsonBodies({
  notJson: (_text, cause) => new ServiceError('bad-request', 'The body is not valid JSON', { cause }),
  misshapen: (problem) => new ServiceError('bad-request', `Invalid body: ${firstMistake(problem)}`),
});

/** @throws ServiceError `bad-request` naming the field */
export function decodeSettings(body: Buffer, current: ScalingSettings): Partial<ScalingSettings> {
  const wanted = bodies.decode(SettingsWire, body);
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const { max, min } = { ...current, ...given };
  if (min > max)
    throw new ServiceError('bad-request', `Invalid body: min (${min}) is more than max (${max})`);
  return given;
}

export function renderSettings({ isPaused, max, min, target }: ScalingSettings): ScalingSettingsAnswer {
  return { min, max, target, paused: isPaused };
}

/** Shares are percent, as platforms have them; the others are workers. */
export function renderDemand(demand: Demand): ScalingMetric {
  return {
    capacity_used: rounded(100 * demand.capacityUsed),
    demand_workers: rounded(demand.demandWorkers),
    need_workers: rounded(demand.need),
    work_workers: rounded(demand.work),
    backlog_workers: rounded(demand.backlog),
    planned_workers: rounded(demand.planned),
    plan_trusted: demand.isPlanTrusted,
    serving_workers: demand.capacity,
  };
}

export function renderAssessment(assessment: Assessment, now: Date, nowMs: number): ScalingStatus {
  const { demand, driver, holds, isComplete, plan, servers, settings } = assessment;
  const timeOf = (untilMs: number | undefined) =>
    untilMs === undefined ? null : new Date(now.getTime() + untilMs - nowMs).toISOString();
  return {
    settings: renderSettings(settings),
    driver: { name: driver.name, counted_by: driver.countedBy },
    complete: isComplete,
    numbers: {
      ...renderDemand(demand),
      plan_error: plan.error === undefined ? null : rounded(plan.error),
      recent_peak_workers: rounded(plan.recentPeak),
    },
    nodes: { waiting: assessment.nodesWaiting, known: assessment.nodesKnown },
    servers: servers.map(({ certname, phase, used, workers }) => ({
      certname,
      phase,
      workers,
      used: rounded(used),
    })),
    members: assessment.members.map(({ cause, certname, ending, leaving, since, slot, state }) => ({
      certname,
      state,
      since,
      cause,
      leaving: ending ?? leaving ?? null,
      launched_by: slot === undefined ? null : driver.name,
    })),
    advice: {
      servers: assessment.count,
      wanted: assessment.wanted,
      advised: assessment.advised,
      holds: holds.map(({ kind, untilMs }) => ({ kind, until: timeOf(untilMs) })),
    },
  };
}

export function renderEntry({ at, id, kind, message, numbers, serving, wanted }: StoredEntry): ScalingEntry {
  return { id, time: at.toISOString(), kind, message, serving, wanted, numbers: numbers ?? null };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
