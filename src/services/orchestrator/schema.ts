/** The tables of jobs, their nodes and events, and scheduled jobs. */

import type { Migration } from '../../platform/storage/index.ts';

export const orchestratorMigrations: readonly Migration[] = [
  {
    component: 'orchestrator',
    number: 1,
    name: 'jobs',
    statements: ({ types }) => [
      `create table orchestrator_jobs (
        id ${types.identity},
        token ${types.text} not null unique,
        owner_id ${types.text} not null,
        owner_login ${types.text} not null,
        idempotency_key ${types.text},
        type ${types.text} not null,
        task ${types.text},
        environment ${types.text} not null,
        state ${types.text} not null,
        is_over ${types.boolean} not null,
        changed_at ${types.timestamp} not null,
        definition ${types.document} not null,
        statuses ${types.document} not null,
        request ${types.text},
        unique (owner_id, idempotency_key)
      )`,
      'create index orchestrator_jobs_over on orchestrator_jobs (is_over, changed_at)',
      `create table orchestrator_nodes (
        job_id ${types.integer} not null references orchestrator_jobs (id),
        certname ${types.text} not null,
        state ${types.text} not null,
        transaction_id ${types.text},
        deliveries ${types.integer} not null,
        is_acknowledged ${types.boolean} not null,
        started_at ${types.timestamp},
        finished_at ${types.timestamp},
        pending ${types.document},
        outcome ${types.document},
        primary key (job_id, certname)
      )`,
      'create index orchestrator_nodes_by_state on orchestrator_nodes (job_id, state)',
      `create table orchestrator_events (
        id ${types.identity},
        job_id ${types.integer} not null references orchestrator_jobs (id),
        type ${types.text} not null,
        at ${types.timestamp} not null,
        certname ${types.text},
        message ${types.text} not null
      )`,
      'create index orchestrator_events_by_job on orchestrator_events (job_id, id)',
      `create table orchestrator_hold (name ${types.text} not null primary key, number ${types.integer} not null)`,
      `insert into orchestrator_hold (name, number) values ('jobs', 0)`,
    ],
  },
  {
    component: 'orchestrator',
    number: 2,
    name: 'scheduled jobs',
    statements: ({ types }) => [
      `create table orchestrator_scheduled (
        id ${types.identity},
        owner_id ${types.text} not null,
        owner_login ${types.text} not null,
        scheduled_at ${types.timestamp} not null,
        shown ${types.document} not null,
        task_order ${types.text} not null
      )`,
    ],
  },
  {
    component: 'orchestrator',
    number: 3,
    name: 'output of nodes',
    statements: ({ types }) => [
      // Both absent for events that are no output.
      `alter table orchestrator_events add column stream ${types.text}`,
      `alter table orchestrator_events add column stream_offset ${types.integer}`,
    ],
  },
  {
    component: 'orchestrator',
    number: 4,
    name: 'levels of nodes',
    statements: ({ types }) => [
      // Absent for nodes of jobs without an order.
      `alter table orchestrator_nodes add column job_level ${types.integer}`,
    ],
  },
  {
    component: 'orchestrator',
    number: 5,
    name: 'recurring schedules',
    statements: ({ types }) => [
      // All absent for tasks that an earlier version scheduled, once.
      `alter table orchestrator_scheduled add column type ${types.text}`,
      `alter table orchestrator_scheduled add column schedule ${types.document}`,
      `alter table orchestrator_scheduled add column is_enabled ${types.boolean}`,
      `alter table orchestrator_scheduled add column last_run ${types.document}`,
    ],
  },
  {
    component: 'orchestrator',
    number: 6,
    name: 'task targets and usage',
    statements: ({ types }) => [
      `create table orchestrator_task_targets (
        id ${types.identity},
        token ${types.text} not null unique,
        definition ${types.document} not null
      )`,
      `create table orchestrator_usage (
        day ${types.text} not null primary key,
        nodes_with_agent ${types.integer} not null
      )`,
    ],
  },
  {
    component: 'orchestrator',
    number: 7,
    name: 'connections by SSH',
    statements: ({ types }) => [
      `create table orchestrator_connections (
        certname ${types.text} not null primary key,
        connection_id ${types.text} not null,
        parameters ${types.document} not null,
        secrets ${types.text} not null
      )`,
    ],
  },
  {
    component: 'orchestrator',
    number: 8,
    name: 'transports of actions',
    statements: ({ types }) => [
      // Absent for actions that have not begun, and for those of an earlier version.
      `alter table orchestrator_nodes add column transport ${types.text}`,
    ],
  },
  {
    component: 'orchestrator',
    number: 9,
    name: 'large results',
    statements: ({ types }) => [
      // Absent for results that are part of the outcome.
      `alter table orchestrator_nodes add column large_result ${types.bytes}`,
      'create index orchestrator_events_by_node on orchestrator_events (job_id, certname, id)',
    ],
  },
  {
    component: 'orchestrator',
    number: 10,
    name: 'runs of scheduled jobs',
    statements: ({ types }) => [
      // Without a reference: an earlier version deletes scheduled jobs and knows nothing of their runs.
      `create table orchestrator_scheduled_runs (
        scheduled_id ${types.integer} not null,
        at ${types.timestamp} not null,
        run ${types.document} not null,
        primary key (scheduled_id, at)
      )`,
    ],
  },
];
