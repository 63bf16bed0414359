/** Jobs on nodes: Puppet runs and tasks. */

export { type AgentLink, type AgentListener, type AgentMessage, transportOf } from './agent-link.ts';
export { combinedLink } from './combined-link.ts';
export { connectionRoutes } from './http/connection-routes.ts';
export { orchestratorRoutes } from './http/routes.ts';
export { JobRunner } from './job-runner.ts';
export type { ActionPolicy as JobPolicy, Results } from './jobs/action.ts';
export { readLargeAnswer } from './jobs/large-answer.ts';
export { Orchestrator, type PlanActionOrder } from './orchestrator.ts';
export { ScheduledJobs } from './scheduling/scheduled-jobs.ts';
export { ScheduledJobStore } from './scheduling/store.ts';
export { orchestratorMigrations } from './schema.ts';
export { Connections } from './ssh/connections.ts';
export { Downloads } from './ssh/downloads.ts';
export { SshLink } from './ssh/ssh-link.ts';
export { DatabaseConnections } from './ssh/store.ts';
export { JobStore, type Seal } from './store.ts';
export type { InfrastructureServer } from './targets/infrastructure-order.ts';
export { Targets, type TargetTermini } from './targets/targets.ts';
export { DatabaseTaskTargets } from './task-targets/store.ts';
export { TaskTargets } from './task-targets/task-targets.ts';
export type { TaskTerminus } from './tasks/task-terminus.ts';
export { Usage } from './usage.ts';
export { DatabaseUsage } from './usage-store.ts';
