/** What the results of agents mean: for tasks and for Puppet runs. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Outcome, Results } from './action.ts';

const ProcessWire = z.object({
  exitcode: z.int(),
  stdout: z.string().default(''),
  stderr: z.string().default(''),
});

const RunWire = z.object({
  status: z.string(),
  exitcode: z.int(),
  transaction_uuid: z.string().optional(),
  environment: z.string().optional(),
  metrics: z.record(z.string(), z.json()).optional(),
  error_type: z.string().optional(),
  error: z.string().optional(),
});

/**
 * Standard output that is a JSON object is the result, any other becomes `_output`. A failure that says nothing itself gets an
 * `_error`.
 *
 * @see Puppet Enterprise, "Writing tasks", "Returning errors in tasks"
 */
export function taskOutcome(results: Results): Outcome {
  const found = checkShape(ProcessWire, results).data;
  if (found === undefined) return unreadable(results);
  const { exitcode, stderr, stdout } = found;
  const result = objectIn(stdout) ?? { _output: stdout };
  if (exitcode === 0) return { state: Object.hasOwn(result, '_error') ? 'failed' : 'finished', result };
  if (Object.hasOwn(result, '_error')) return { state: 'failed', result };
  const msg = `Task exited ${exitcode}:\n${stdout === '' ? stderr : stdout}`.trimEnd();
  const details = { exitcode };
  return {
    state: 'failed',
    result: { ...result, _error: { msg, kind: 'puppetlabs.tasks/task-error', details } },
  };
}

/** What a command or a script has written; it failed when it says so by its exit code. */
export function commandOutcome(results: Results): Outcome {
  const found = checkShape(ProcessWire, results).data;
  if (found === undefined) return unreadable(results);
  const { exitcode, stderr, stdout } = found;
  return { state: exitcode === 0 ? 'finished' : 'failed', result: { stdout, stderr, exit_code: exitcode } };
}

/** Files that an agent has fetched. */
export function downloadOutcome(results: Results): Outcome {
  const found = checkShape(ProcessWire, results).data;
  if (found === undefined) return unreadable(results);
  if (found.exitcode === 0) return { state: 'finished', result: { _output: found.stdout } };
  const msg = found.stderr === '' ? found.stdout : found.stderr;
  const error = { msg, kind: 'puppetlabs.orchestrator/execution-failure', details: {} };
  return { state: 'failed', result: { _error: error } };
}

/** Files that this server has got of a node, as the reference of plans says it. */
export function collectOutcome(results: Results, outcome = taskOutcome(results)): Outcome {
  const found = checkShape(ProcessWire, results).data;
  if (found === undefined || found.exitcode === 0) return outcome;
  const msg = found.stderr.trim();
  const error = { kind: 'puppetlabs.tasks/task_file_error', issue_code: 'WRITE_ERROR', msg, details: {} };
  return { state: 'failed', result: { _error: error } };
}

/** What came of a catalog that was sent along: its report, as the reference of tasks would have it. */
export function applyOutcome(results: Results, outcome = taskOutcome(results)): Outcome {
  const hasFailed = outcome.state === 'finished' && outcome.result?.['status'] === 'failed';
  return hasFailed ? { ...outcome, state: 'failed' } : outcome;
}

/**
 * Where Puppet ran, its report decides: the exit code is 0 also when resources failed.
 *
 * @param results - of `pxp-module-puppet run`; a status query has them as text in `stdout`
 */
export function puppetRunOutcome(results: Results): Outcome {
  const found = checkShape(RunWire, 'status' in results ? results : objectIn(results['stdout'])).data;
  if (found === undefined) return unreadable(results);
  const { environment, metrics, status, transaction_uuid: transactionUuid } = found;
  if (status === 'unknown') return { state: 'errored', detail: found.error ?? 'Puppet could not be run' };
  const result: JsonObject = {
    status,
    ...(environment === undefined ? {} : { environment }),
    ...(metrics === undefined ? {} : { metrics }),
  };
  const hasFailed = status === 'failed' || found.exitcode !== 0;
  return {
    state: hasFailed ? 'failed' : 'finished',
    result,
    ...(found.error === undefined ? {} : { detail: found.error }),
    ...(transactionUuid === undefined || transactionUuid === 'unknown' ? {} : { reportOf: transactionUuid }),
  };
}

function unreadable(results: Results): Outcome {
  const text = JSON.stringify(results).slice(0, 500);
  return { state: 'errored', detail: `The agent sent results that cannot be read: ${text}` };
}

function objectIn(text: Json | undefined): JsonObject | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
