/** Filters and queries that are saved under a name. */

import type { SavedViewAnswer, SavedViewQuery } from '../../../src/services/console/wire.ts';
import { get, post, remove } from './client.ts';

export type SavedView = SavedViewAnswer;
export type ViewKind = SavedView['kind'];

const root = '/console-api/v1/views';

/** One's own, and those that others share. */
export async function readViews(signal: AbortSignal): Promise<readonly SavedView[]> {
  return await get(root, {}, signal);
}

export async function addView(view: SavedViewQuery): Promise<void> {
  await post(root, view);
}

export async function deleteView(id: string): Promise<void> {
  await remove(`${root}/${encodeURIComponent(id)}`);
}
