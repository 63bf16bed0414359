/** The part of the address that belongs to Live Management. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const agentActions = ['runonce', 'status', 'enable', 'disable'] as const;
export type AgentAction = (typeof agentActions)[number];

export interface LiveSearch {
  /** Control Puppet when absent. */
  readonly tab?: 'order' | undefined;
  /** The filter of nodes. */
  readonly q?: string | undefined;
  /** Certnames with commas between them, or `*` for all that the filter finds. */
  readonly selected?: string | undefined;
  /** The list of actions when absent. */
  readonly action?: AgentAction | undefined;
  /** Which servers there are to run Puppet on in order. */
  readonly kind?: 'monolithic' | 'split' | undefined;
  /** The number of the job whose results are shown. */
  readonly job?: string | undefined;
}

export function liveSearch(search: RawSearch): LiveSearch {
  const job = textIn(search, 'job');
  return {
    tab: oneIn(search, 'tab', ['order'] as const),
    q: textIn(search, 'q'),
    selected: textIn(search, 'selected'),
    action: oneIn(search, 'action', agentActions),
    kind: oneIn(search, 'kind', ['monolithic', 'split'] as const),
    job: job !== undefined && /^\d{1,15}$/.test(job) ? job : undefined,
  };
}
