/** Settings of jobs on nodes. A pure table. */

import { setting } from './setting.ts';
import { duration, integer, portOrAuto } from './setting-types.ts';

const section = 'Jobs on nodes';

export const orchestratorSettings = {
  orchestratorPort: setting({
    name: 'orchestrator_port',
    type: portOrAuto,
    default: 'auto',
    doc: "The port of the primary's API for jobs (`/orchestrator/v1`); 0 for none. `auto` is 8143 where the primary itself listens on 8140.",
    section,
  }),
  globalConcurrentCompiles: setting({
    name: 'global_concurrent_compiles',
    type: integer(1, 100_000),
    default: '8',
    doc: 'How many Puppet runs of jobs may be under way at once, over all jobs.',
    section,
  }),
  taskConcurrency: setting({
    name: 'task_concurrency',
    type: integer(1, 1_000_000),
    default: '250',
    doc: 'How many nodes may run tasks at once, over all jobs.',
    section,
  }),
  pcpTimeoutSeconds: setting({
    name: 'pcp_timeout',
    type: duration,
    default: '30s',
    doc: 'How long a node may be disconnected before a job gives it up; at least 2 minutes after a restart of the primary and 3 minutes after the loss of its broker, when all agents come back.',
    section,
  }),
  jobPruneThresholdSeconds: setting({
    name: 'job_prune_threshold',
    type: duration,
    default: '30d',
    doc: 'How long jobs and their results are kept.',
    section,
  }),
} as const;
