/** The orchestrator: requests, jobs and their nodes. */

import type {
  ConnectionAnswer,
  JobAnswer,
  JobEvents,
  JobNodeAnswer,
  JobNodes,
  JobsPage,
  StartedJob,
} from '../../../src/services/orchestrator/answers/wire.ts';
import type { JobState, NodeState } from '../lib/jobs.ts';
import type { Reach, Scope } from '../lib/targets.ts';
import { get, post, postOnce } from './client.ts';

export type { JobsPage } from '../../../src/services/orchestrator/answers/wire.ts';

const root = '/orchestrator/v1';

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
export async function readJob(id: string, signal: AbortSignal): Promise<JobAnswer> {
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
): Promise<readonly JobNodeAnswer[]> {
  const parameters = { ...question, order_by: 'state', order: 'asc' };
  const { items } = await get<JobNodes>(`${jobPath(id)}/nodes`, parameters, signal);
  return items;
}

export async function readJobEvents(id: string, start: string, signal: AbortSignal): Promise<JobEvents> {
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
  const answer = await postOnce<StartedJob>(root + path, body, key);
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

/** Whether a node can be asked to do something now. */
export async function readConnection(certname: string, signal: AbortSignal): Promise<ConnectionAnswer> {
  return await get(`${root}/inventory/${encodeURIComponent(certname)}`, {}, signal);
}

function jobPath(id: string): string {
  return `${root}/jobs/${encodeURIComponent(id)}`;
}
