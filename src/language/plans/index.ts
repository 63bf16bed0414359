/** Plans: their values and functions, and running them. What they do to the world is the host's business. */

export { describePlan, type PlanDescription } from './describe-plan.ts';
export type { InventoryGroup } from './inventory/group-data.ts';
export type { InventoryOptions } from './inventory/inventory.ts';
export { type PlanOutcome, runPlanToEnd } from './plan-session.ts';
export type { ActionOutcome, FinishedAction, PlanAction, PlanEvent, PlanHost } from './run/plan-host.ts';
