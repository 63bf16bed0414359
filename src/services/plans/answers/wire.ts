/** Answers of plans and plan jobs of `/orchestrator/v1`, whose types the pages use, too. It imports nothing of the server. */

import { z } from 'zod';
import type { ReadOnlyAnswer as Answer } from '../../../lib/read-only-answer.ts';

const EnvironmentOfCode = z.strictObject({ name: z.string(), code_id: z.null() });

const ListedPlanWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Whether this user may run it. */
  permitted: z.boolean(),
});
export const PlansWire = z.strictObject({ environment: EnvironmentOfCode, items: z.array(ListedPlanWire) });

export const PlanDetailsWire = ListedPlanWire.extend({
  environment: EnvironmentOfCode,
  metadata: z.strictObject({
    description: z.string().exactOptional(),
    parameters: z.record(
      z.string(),
      z.strictObject({
        type: z.string(),
        default_value: z.unknown().optional(),
        description: z.string().exactOptional(),
        sensitive: z.boolean(),
      }),
    ),
  }),
});

export const PlanJobWire = z.strictObject({
  id: z.string(),
  /** Its number. */
  name: z.string(),
  state: z.enum(['running', 'success', 'failure']),
  options: z.strictObject({
    description: z.string(),
    plan_name: z.string(),
    environment: z.string(),
    /** Without sensitive ones. */
    parameters: z.record(z.string(), z.unknown()),
  }),
  result: z.unknown(),
  owner: z.strictObject({ id: z.string(), login: z.string() }),
  timestamp: z.iso.datetime(),
  created_timestamp: z.iso.datetime(),
  finished_timestamp: z.iso.datetime().nullable(),
  events: z.strictObject({ id: z.string() }),
});
export const PlanJobsWire = z.strictObject({
  items: z.array(PlanJobWire),
  pagination: z.strictObject({ limit: z.int().nullable(), offset: z.int(), total: z.int() }),
});

export const PlanEventWire = z.strictObject({
  id: z.string(),
  type: z.string(),
  timestamp: z.iso.datetime(),
  details: z.record(z.string(), z.unknown()),
});
/** Long messages are cut. */
export const PlanEventsWire = z.strictObject({
  'next-events': z.strictObject({ id: z.string(), event: z.string() }),
  items: z.array(PlanEventWire),
});

/** The number of the plan job. */
export const StartedPlanWire = z.strictObject({ name: z.string() });

export type ListedPlan = Answer<z.infer<typeof ListedPlanWire>>;
export type Plans = Answer<z.infer<typeof PlansWire>>;
export type PlanDetails = Answer<z.infer<typeof PlanDetailsWire>>;
export type PlanJobAnswer = Answer<z.infer<typeof PlanJobWire>>;
export type PlanJobsPage = Answer<z.infer<typeof PlanJobsWire>>;
export type PlanEventAnswer = Answer<z.infer<typeof PlanEventWire>>;
export type PlanEvents = Answer<z.infer<typeof PlanEventsWire>>;
export type StartedPlan = Answer<z.infer<typeof StartedPlanWire>>;
