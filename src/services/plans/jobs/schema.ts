/** The tables of plan jobs and their events. */

import type { Migration } from '../../../platform/storage/index.ts';

export const planMigrations: readonly Migration[] = [
  {
    component: 'plans',
    number: 1,
    name: 'plan jobs',
    statements: ({ types }) => [
      `create table plan_jobs (
        id ${types.identity},
        owner_id ${types.text} not null,
        owner_login ${types.text} not null,
        plan ${types.text} not null,
        environment ${types.text} not null,
        description ${types.text} not null,
        parameters ${types.document} not null,
        state ${types.text} not null,
        result ${types.document},
        created_at ${types.timestamp} not null,
        finished_at ${types.timestamp}
      )`,
      'create index plan_jobs_by_state on plan_jobs (state, finished_at)',
      `create table plan_job_events (
        id ${types.identity},
        plan_job_id ${types.integer} not null references plan_jobs (id),
        type ${types.text} not null,
        at ${types.timestamp} not null,
        details ${types.document} not null
      )`,
      'create index plan_job_events_by_job on plan_job_events (plan_job_id, id)',
    ],
  },
  {
    component: 'plans',
    number: 2,
    name: 'plan jobs that start once',
    statements: ({ types }) => [
      `alter table plan_jobs add column start_key ${types.text}`,
      // Absent for those that are asked for once.
      'create unique index plan_jobs_by_key on plan_jobs (owner_id, start_key)',
    ],
  },
];
