/** The thread of a plan. */

export { runPlanThread } from './run-plan-thread.ts';
