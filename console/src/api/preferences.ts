/** How a user wants the pages to be, on every device. */

import type { Preferences } from '../../../src/services/console/wire.ts';
import { get, put } from './client.ts';

export type { Preferences } from '../../../src/services/console/wire.ts';

const path = '/console-api/v1/preferences';

export async function readPreferences(signal: AbortSignal): Promise<Preferences> {
  return await get(path, {}, signal);
}

export async function savePreferences(preferences: Preferences): Promise<void> {
  await put(path, preferences);
}
