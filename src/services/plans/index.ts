/** Running plans. Nothing here loads the language: that is for the threads of plans. */

export { planRoutes } from './http/routes.ts';
export type { PlanActor } from './jobs/plan-job.ts';
export { PlanJobs } from './jobs/plan-jobs.ts';
export { planMigrations } from './jobs/schema.ts';
export { PlanJobStore } from './jobs/store.ts';
export type { PlanThreadData } from './plan-protocol.ts';
export { type PlanProgress, PlanRunner } from './plan-runner.ts';
export type { ActionContext, PlanActions, TargetAction } from './termini.ts';
