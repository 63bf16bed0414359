/** What is recorded of who started, stopped and scheduled jobs. */

import type { Json } from '../../lib/json.ts';
import type { Author, Change } from '../../platform/changes/index.ts';
import type { JobDefinition } from './jobs/job.ts';
import { describeSchedule, type Schedule } from './scheduling/schedule.ts';
import type { ScheduledType } from './scheduling/scheduled-job.ts';

const service = 'orchestrator';

/** @param token - stands for the number of the job until there is one */
export function jobStarted(
  definition: JobDefinition,
  nodes: number,
  author: Author,
  { token, time }: { readonly token: string; readonly time: Date },
): Change {
  const message = `Started ${nameOf(definition)} on ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
  return {
    object: { service, type: 'jobs', id: token, name: nameOf(definition) },
    events: [{ action: 'start', what: 'job', message }],
    after: definition.options,
    author,
    time,
  };
}

export function jobStopped(id: number, definition: JobDefinition, author: Author, time: Date): Change {
  return {
    object: { service, type: 'jobs', id: String(id), name: nameOf(definition) },
    events: [{ action: 'stop', what: 'job', message: `Stopped job ${id}, ${nameOf(definition)}` }],
    author,
    time,
  };
}

export type ShownOrder = Readonly<Record<string, Json>>;

interface Scheduled {
  readonly type: ScheduledType;
  readonly shown: ShownOrder;
}

/** @param token - as for `jobStarted` */
export function jobScheduled(
  scheduled: Scheduled,
  schedule: Schedule,
  author: Author,
  { token, time }: { readonly token: string; readonly time: Date },
): Change {
  const name = nameOfScheduled(scheduled);
  const message = `Scheduled ${name} ${describeSchedule(schedule)}`;
  return {
    object: { service, type: 'scheduled_jobs', id: token, name },
    events: [{ action: 'create', what: 'scheduled_job', message }],
    after: scheduled.shown,
    author,
    time,
  };
}

export function scheduleChanged(
  job: Scheduled & { readonly id: number; readonly schedule: Schedule; readonly isEnabled: boolean },
  wanted: { readonly schedule: Schedule; readonly isEnabled: boolean },
  author: Author,
  time: Date,
): Change {
  const name = nameOfScheduled(job);
  const state = wanted.isEnabled ? describeSchedule(wanted.schedule) : 'disabled';
  const shown = ({ isEnabled, schedule }: typeof wanted) => ({
    enabled: isEnabled,
    schedule: describeSchedule(schedule),
  });
  return {
    object: { service, type: 'scheduled_jobs', id: String(job.id), name },
    events: [
      {
        action: 'edit',
        what: 'scheduled_job',
        message: `Changed scheduled job ${job.id}, ${name}: ${state}`,
      },
    ],
    before: shown(job),
    after: shown(wanted),
    author,
    time,
  };
}

export function scheduleDeleted(
  job: Scheduled & { readonly id: number },
  author: Author,
  time: Date,
): Change {
  const name = nameOfScheduled(job);
  const message = `Deleted scheduled job ${job.id}, ${name}`;
  return {
    object: { service, type: 'scheduled_jobs', id: String(job.id), name },
    events: [{ action: 'delete', what: 'scheduled_job', message }],
    before: job.shown,
    author,
    time,
  };
}

function nameOfScheduled({ shown, type }: Scheduled): string {
  if (type === 'deploy') return 'Puppet run';
  return type === 'plan' ? `plan ${String(shown['plan'])}` : `task ${String(shown['task'])}`;
}

function nameOf({ options, type }: JobDefinition): string {
  const option = (name: string): string => String(options[name]);
  switch (type) {
    case 'deploy':
      return 'Puppet run';
    case 'command':
    case 'plan_command':
      return `command ${option('command')}`;
    case 'script':
      return `script ${option('name')}`;
    case 'plan_script':
      return `script ${option('script')}`;
    case 'plan_upload':
      return `upload to ${option('destination')}`;
    case 'plan_download':
      return `download of ${option('source')}`;
    case 'plan_apply':
      return `catalog of plan job ${option('plan_job')}`;
    case 'plan_apply_prep':
      return `facts for plan job ${option('plan_job')}`;
    case 'task':
    case 'plan_task':
      return `task ${option('task')}`;
    default:
      return type satisfies never;
  }
}

/** @param id - a token, until there is a number */
export function taskTargetChange(
  action: 'create' | 'delete',
  { id, name }: { readonly id: string; readonly name: string },
  author: Author,
  time: Date,
): Change {
  const message = `${action === 'create' ? 'Created' : 'Deleted'} task target ${name}`;
  return {
    object: { service, type: 'task_targets', id, name },
    events: [{ action, what: 'task_target', message }],
    author,
    time,
  };
}

export function connectionChange(
  action: 'create' | 'delete',
  certnames: readonly string[],
  author: Author,
  time: Date,
): Change {
  const name = certnames.length === 1 ? String(certnames[0]) : `${certnames.length} nodes`;
  const message = `${action === 'create' ? 'Added' : 'Deleted'} the SSH connection to ${name}`;
  return {
    object: { service, type: 'connections', id: name, name },
    events: [{ action, what: 'connection', message }],
    after: { certnames },
    author,
    time,
  };
}
