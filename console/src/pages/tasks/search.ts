/** The part of the address that belongs to tasks. */

import { codeIn, oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';
import { type TargetKind, targetKinds } from '../../lib/targets.ts';

export interface TasksSearch {
  /** A part of a name or a description. */
  readonly q?: string | undefined;
  /** The environment whose code it is: that of all pages, or else `production`, when absent. */
  readonly code?: string | undefined;
  /** How nodes are chosen: by their names when absent. */
  readonly by?: TargetKind | undefined;
  /** Names, a query, or the id of a group. */
  readonly targets?: string | undefined;
  /** Values of parameters that the form begins with, as JSON. */
  readonly params?: string | undefined;
}

export function tasksSearch(search: RawSearch): TasksSearch {
  const by = oneIn(search, 'by', targetKinds);
  return {
    q: textIn(search, 'q'),
    code: codeIn(search),
    by: by === 'nodes' ? undefined : by,
    targets: textIn(search, 'targets'),
    params: textIn(search, 'params'),
  };
}
