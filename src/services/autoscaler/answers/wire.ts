/** Answers of `/autoscaler/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

export const ScalingSettingsWire = z.strictObject({
  min: z.int(),
  max: z.int(),
  /** The share of the workers that is used when there are as many as needed: 0.6. */
  target: z.number(),
  paused: z.boolean(),
});

/** Workers, where nothing else is said. */
const demand = {
  /** In percent. */
  capacity_used: z.number(),
  demand_workers: z.number(),
  need_workers: z.number(),
  work_workers: z.number(),
  backlog_workers: z.number(),
  planned_workers: z.number(),
  plan_trusted: z.boolean(),
  serving_workers: z.number(),
};

export const ScalingMetricWire = z.strictObject(demand);

export const ScalingStatusWire = z.strictObject({
  settings: ScalingSettingsWire,
  /** What launches and ends servers; `static` where people do. */
  driver: z.strictObject({ name: z.string(), counted_by: z.string() }),
  /** Whether all numbers are known. */
  complete: z.boolean(),
  numbers: z.strictObject({
    ...demand,
    /** A share; null while the plan has not been compared with what happened. */
    plan_error: z.number().nullable(),
    recent_peak_workers: z.number(),
  }),
  nodes: z.strictObject({ waiting: z.int(), known: z.int() }),
  servers: z.array(
    z.strictObject({
      certname: z.string(),
      phase: z.string(),
      workers: z.number(),
      /** The share of its capacity. */
      used: z.number(),
    }),
  ),
  /** Each server of the driver in its life, also those that do not serve yet. */
  members: z.array(
    z.strictObject({
      certname: z.string(),
      state: z.string(),
      since: z.string(),
      cause: z.string(),
      /** Why it leaves; null for one that stays. */
      leaving: z.string().nullable(),
      launched_by: z.string().nullable(),
    }),
  ),
  advice: z.strictObject({
    /** Those that serve or are on their way. */
    servers: z.int(),
    wanted: z.int(),
    advised: z.int(),
    holds: z.array(z.strictObject({ kind: z.string(), until: z.iso.datetime().nullable() })),
  }),
});

const ScalingEntryWire = z.strictObject({
  id: z.int(),
  time: z.iso.datetime(),
  kind: z.string(),
  message: z.string(),
  serving: z.int(),
  wanted: z.int(),
  numbers: z
    .strictObject({
      work: z.number(),
      backlog: z.number(),
      planned: z.number(),
      capacity: z.number(),
      need: z.number(),
    })
    .nullable(),
});
/** The newest first. */
export const ScalingHistoryWire = z.array(ScalingEntryWire);

export type ScalingSettingsAnswer = Answer<z.infer<typeof ScalingSettingsWire>>;
export type ScalingMetric = Answer<z.infer<typeof ScalingMetricWire>>;
export type ScalingStatus = Answer<z.infer<typeof ScalingStatusWire>>;
export type ScalingEntry = Answer<z.infer<typeof ScalingEntryWire>>;
