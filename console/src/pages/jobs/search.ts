/** The part of the address that belongs to the list of jobs. */

import { type JobState, jobStates, typeWords } from '../../lib/jobs.ts';
import { oneIn, type RawSearch } from '../../lib/search-text.ts';

export interface JobsSearch {
  /** Any when absent. */
  readonly state?: JobState | undefined;
  /** `deploy`, `task`, ...; any when absent. */
  readonly type?: string | undefined;
}

export function jobsSearch(search: RawSearch): JobsSearch {
  return {
    state: oneIn(search, 'state', jobStates),
    type: oneIn(search, 'type', Object.keys(typeWords)),
  };
}
