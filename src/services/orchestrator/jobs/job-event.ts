/** What is told of a job while it runs, in the texts that clients know. */

import { type Action } from './action.ts';
import type { JobDefinition } from './job.ts';
import type { OutputPiece } from './node-output.ts';

export type JobEventType =
  | 'node_running'
  | 'node_output'
  | 'node_finished'
  | 'node_failed'
  | 'node_errored'
  | 'node_skipped'
  | 'job_aborted'
  | 'job_finished';

export interface JobEvent {
  readonly type: JobEventType;
  readonly at: number;
  /** Absent for what is about the whole job. */
  readonly certname?: string;
  readonly message: string;
  /** What a node wrote: which stream, and where in it. */
  readonly output?: Pick<OutputPiece, 'stream' | 'offset'>;
}

/** @returns `undefined` for changes that are no event */
export function eventOf(
  before: Action,
  { certname, outcome, state }: Action,
  definition: JobDefinition,
  at: number,
): JobEvent | undefined {
  if (before.state === state || state === 'new' || state === 'ready') return undefined;
  const { noun, verb } = wordsOf(definition);
  const said = outcome?.detail ?? outcome?.failure ?? errorMessage(outcome?.result);
  const reason = said === undefined ? 'it failed' : shortened(said);
  const message = {
    running: `Started ${noun} on ${certname} ...`,
    finished: `Finished ${noun} on ${certname} - Success!`,
    failed: `Error ${verb} on ${certname}: ${reason}`,
    errored: `Error ${verb} on ${certname}: ${reason}`,
    skipped: `Skipped ${noun} on ${certname}: ${reason}`,
  }[state];
  return { type: `node_${state}`, at, certname, message };
}

function wordsOf({ options, type }: JobDefinition): { readonly noun: string; readonly verb: string } {
  if (type === 'deploy') return { noun: 'puppet run', verb: 'running puppet' };
  if (type === 'command' || type === 'plan_command') return { noun: 'command', verb: 'running a command' };
  if (type === 'script' || type === 'plan_script') return { noun: 'script', verb: 'running a script' };
  if (type === 'plan_upload') return { noun: 'upload', verb: 'uploading a file' };
  if (type === 'plan_download') return { noun: 'download', verb: 'downloading a file' };
  if (type === 'plan_apply') return { noun: 'catalog', verb: 'applying a catalog' };
  if (type === 'plan_apply_prep') return { noun: 'preparation', verb: 'asking for facts' };
  const task = String(options['task']);
  return { noun: `task ${task}`, verb: `running task ${task}` };
}

/** Programs may write megabytes, of which the result has all. */
export const longestReason = 10_000;

function shortened(reason: string): string {
  return reason.length <= longestReason ? reason : `${reason.slice(0, longestReason)} ...`;
}

/** What a result says went wrong. */
export function errorMessage(result: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const error = result?.['_error'];
  if (typeof error === 'object' && error !== null && 'msg' in error) return String(error.msg);
  return result?.['status'] === 'failed' ? 'the run has failed resources or no catalog' : undefined;
}
