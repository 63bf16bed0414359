/** The record of changes: who changed what, when and from where. */

import type { ChangePage, WholeChange } from '../../../src/services/activity/answers/wire.ts';
import { get } from './client.ts';

export type {
  ChangeAnswer as ActivityChange,
  WholeChange,
} from '../../../src/services/activity/answers/wire.ts';

export interface ActivityQuestion {
  readonly service?: string | undefined;
  readonly object_type?: string | undefined;
  readonly object_id?: string | undefined;
  readonly by?: string | undefined;
  readonly q?: string | undefined;
  readonly from?: string | undefined;
}

const root = '/activity-api/v2/changes';

/** The newest first. */
export async function readChanges(
  question: ActivityQuestion,
  before: number | undefined,
  signal: AbortSignal,
): Promise<ChangePage> {
  return await get(root, { ...question, before }, signal);
}

/** @throws ApiError 404 for a change that is not kept any more */
export async function readChange(id: string, signal: AbortSignal): Promise<WholeChange> {
  return await get(`${root}/${encodeURIComponent(id)}`, {}, signal);
}

/** Where the same list is as CSV. */
export function exportAddress(question: ActivityQuestion): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) if (value !== undefined) parameters.set(name, value);
  return parameters.size === 0 ? `${root}.csv` : `${root}.csv?${parameters}`;
}
