/** Running plans. Nothing here loads the language: that is for the threads of plans. */

export type { PlanThreadData } from './plan-protocol.ts';
export { type PlanProgress, PlanRunner } from './plan-runner.ts';
export type { PlanActions, TargetAction } from './termini.ts';
