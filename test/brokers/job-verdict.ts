/** Whether jobs ended as what agents say that they did. */

import type { AgentAction } from './action-journal.ts';

export interface JobNodeEnd {
  readonly name: string;
  readonly state: string;
  readonly result?: { readonly ran?: unknown; readonly _error?: { readonly msg?: string } };
}

/** A job as the orchestrator tells of it in the end. */
export interface JobEnd {
  readonly name: string;
  readonly token: string;
  readonly state: string;
  /** Whether it was stopped while it ran. */
  readonly wasStopped: boolean;
  readonly nodes: readonly JobNodeEnd[];
}

export interface JobVerdict {
  /** How many nodes ended in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** What should not have been. */
  readonly faults: readonly string[];
}

/** @param actions - all that agents have run */
export function judgeJobs(jobs: readonly JobEnd[], actions: readonly AgentAction[]): JobVerdict {
  const byNode = Map.groupBy(actions, ({ certname, token }) => `${token} ${certname}`);
  const states: Record<string, number> = {};
  const faults: string[] = [];
  for (const job of jobs)
    for (const node of job.nodes) {
      states[node.state] = (states[node.state] ?? 0) + 1;
      const key = `${job.token} ${node.name}`;
      faults.push(...faultsOf(job, node, byNode.get(key) ?? []));
      byNode.delete(key);
    }
  for (const key of byNode.keys()) faults.push(`${key}: no job has asked for this`);
  return { states, faults };
}

function faultsOf(job: JobEnd, node: JobNodeEnd, ran: readonly AgentAction[]): readonly string[] {
  const who = `job ${job.name} on ${node.name}`;
  const [action, ...more] = ran;
  if (more.length > 0) return [`${who}: ran ${ran.length} times`];
  if (action === undefined) {
    const isRight = node.state === 'skipped' && job.wasStopped;
    return isRight ? [] : [`${who}: is ${described(node)}, and did not run`];
  }
  if (action.end === undefined) return [`${who}: is ${described(node)}, and still runs`];
  const expected = action.end.exitCode === 0 ? 'finished' : 'failed';
  if (node.state !== expected)
    return [`${who}: is ${described(node)}, and ended with exit code ${action.end.exitCode}`];
  return node.result?.ran === action.transactionId ? [] : [`${who}: has the result of something else`];
}

function described({ result, state }: JobNodeEnd): string {
  const msg = result?._error?.msg;
  return msg === undefined ? state : `${state} (${msg})`;
}
