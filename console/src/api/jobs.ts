/** The orchestrator: requests, jobs and their nodes. */

import type { Job, JobEvent, JobNode, JobState, NodeState } from '../lib/jobs.ts';
import type { Reach, Scope } from '../lib/targets.ts';
import { get, post, postOnce } from './client.ts';

const root = '/orchestrator/v1';

export interface JobsPage {
  readonly items: readonly Job[];
  readonly pagination: { readonly total: number };
}

interface JobsQuestion {
  readonly state: JobState | undefined;
  readonly type: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The newest first. */
export async function readJobs(question: JobsQuestion, signal: AbortSignal): Promise<JobsPage> {
  return await get(`${root}/jobs`, { ...question }, signal);
}

/** @throws ApiError 404 for a job that does not exist any more */
export async function readJob(id: string, signal: AbortSignal): Promise<Job> {
  return await get(jobPath(id), {}, signal);
}

interface NodesQuestion {
  readonly state?: NodeState | undefined;
  readonly limit?: number;
  readonly offset?: number;
}

/** Those that could not be run and those that failed come first. */
export async function readJobNodes(
  id: string,
  question: NodesQuestion,
  signal: AbortSignal,
): Promise<readonly JobNode[]> {
  const parameters = { ...question, order_by: 'state', order: 'asc' };
  const { items } = await get<{ readonly items: readonly JobNode[] }>(
    `${jobPath(id)}/nodes`,
    parameters,
    signal,
  );
  return items;
}

interface Events {
  readonly items: readonly JobEvent[];
  /** Where they go on. */
  readonly 'next-events': { readonly event: string };
}

export async function readJobEvents(id: string, start: string, signal: AbortSignal): Promise<Events> {
  return await get(`${jobPath(id)}/events`, { start }, signal);
}

/** Nothing more of it begins. */
export async function stopJob(id: string): Promise<void> {
  await post(`${root}/command/stop`, { job: id });
}

/**
 * @param path - `/command/deploy`
 * @param key - two requests with the same one start one job
 * @returns the number of the new job
 */
export async function startJob(path: string, body: unknown, key: string): Promise<string> {
  const answer = await postOnce<{ readonly job: { readonly name: string } }>(root + path, body, key);
  return answer?.job.name ?? '';
}

/** The nodes that a job would run on. */
export interface ReachQuestion {
  readonly scope?: Scope;
  readonly order?: 'infrastructure' | readonly (readonly string[])[];
  /** Leaves out nodes on which the user may not run it. */
  readonly task?: string;
  /** Of names for each level. */
  readonly limit?: number;
}

/** The nodes that a job would have. Nothing is started. */
export async function readReach(question: ReachQuestion, signal: AbortSignal): Promise<Reach> {
  const reach = await post<Reach>(`${root}/targets`, question, signal);
  return reach ?? { total: 0, connected: 0, levels: [] };
}

interface Connection {
  readonly connected: boolean;
}

/** Whether a node can be asked to do something now. */
export async function readConnection(certname: string, signal: AbortSignal): Promise<Connection> {
  return await get(`${root}/inventory/${encodeURIComponent(certname)}`, {}, signal);
}

function jobPath(id: string): string {
  return `${root}/jobs/${encodeURIComponent(id)}`;
}
