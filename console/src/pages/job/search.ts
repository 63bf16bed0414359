/** The part of the address that belongs to the page of a job. */

import { type NodeState, nodeStates } from '../../lib/jobs.ts';
import { oneIn, type RawSearch } from '../../lib/search-text.ts';

export interface JobSearch {
  /** Of the nodes that are shown; all when absent. */
  readonly state?: NodeState | undefined;
}

export function jobSearch(search: RawSearch): JobSearch {
  return { state: oneIn(search, 'state', nodeStates) };
}
