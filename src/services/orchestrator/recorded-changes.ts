/** What is recorded of who started, stopped and scheduled jobs. */

import type { Json } from '../../lib/json.ts';
import type { Author, Change } from '../../platform/changes/index.ts';
import type { JobDefinition } from './jobs/job.ts';

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

/** @param token - as for `jobStarted` */
export function jobScheduled(
  shown: ShownOrder,
  scheduledAt: Date,
  author: Author,
  { token, time }: { readonly token: string; readonly time: Date },
): Change {
  const name = `task ${String(shown['task'])}`;
  const message = `Scheduled ${name} for ${scheduledAt.toISOString()}`;
  return {
    object: { service, type: 'scheduled_jobs', id: token, name },
    events: [{ action: 'create', what: 'scheduled_job', message }],
    after: shown,
    author,
    time,
  };
}

export function scheduleDeleted(id: number, shown: ShownOrder, author: Author, time: Date): Change {
  const name = `task ${String(shown['task'])}`;
  const message = `Deleted scheduled job ${id}, ${name}`;
  return {
    object: { service, type: 'scheduled_jobs', id: String(id), name },
    events: [{ action: 'delete', what: 'scheduled_job', message }],
    before: shown,
    author,
    time,
  };
}

function nameOf({ options, type }: JobDefinition): string {
  return type === 'deploy' ? 'Puppet run' : `task ${String(options['task'])}`;
}
