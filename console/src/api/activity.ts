/** The record of changes: who changed what, when and from where. */

import { get } from './client.ts';

export interface ActivityEvent {
  readonly action: string;
  readonly what: string;
  readonly message: string;
}

export interface ActivityChange {
  readonly id: number;
  readonly time: string;
  readonly service: string;
  readonly object: { readonly type: string; readonly id: string; readonly name: string };
  readonly by: { readonly kind: string; readonly id: string; readonly name: string };
  readonly address: string | null;
  readonly events: readonly ActivityEvent[];
  readonly has_before: boolean;
  readonly has_after: boolean;
}

/** Also has the object before and after; null where it did not exist, or this user may not see it. */
export interface WholeChange extends ActivityChange {
  readonly before: unknown;
  readonly after: unknown;
  readonly values_shown: boolean;
}

export interface ActivityQuestion {
  readonly service?: string | undefined;
  readonly object_type?: string | undefined;
  readonly object_id?: string | undefined;
  readonly by?: string | undefined;
  readonly q?: string | undefined;
  readonly from?: string | undefined;
}

export interface ActivityPage {
  readonly changes: readonly ActivityChange[];
  /** The next page has the changes before this one; null on the last page. */
  readonly next: number | null;
}

const root = '/activity-api/v2/changes';

/** The newest first. */
export async function readChanges(
  question: ActivityQuestion,
  before: number | undefined,
  signal: AbortSignal,
): Promise<ActivityPage> {
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
