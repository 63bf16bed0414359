/** The part of the address that belongs to schedules. */

import type { RawSearch } from '../../lib/search-text.ts';
import { oneIn } from '../../lib/search-text.ts';

const scheduledTypes = ['deploy', 'task', 'plan'] as const;

export interface SchedulesSearch {
  /** All when absent. */
  readonly type?: (typeof scheduledTypes)[number] | undefined;
}

export function schedulesSearch(search: RawSearch): SchedulesSearch {
  return { type: oneIn(search, 'type', scheduledTypes) };
}
