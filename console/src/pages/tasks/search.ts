/** The part of the address that belongs to tasks. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';
import { type TargetKind, targetKinds } from '../../lib/targets.ts';

export interface TasksSearch {
  /** A part of a name or a description. */
  readonly q?: string | undefined;
  /** `production` when absent. */
  readonly environment?: string | undefined;
  /** How nodes are chosen: by their names when absent. */
  readonly by?: TargetKind | undefined;
  /** Names, a query, or the id of a group. */
  readonly targets?: string | undefined;
  /** Values of parameters that the form begins with, as JSON. */
  readonly params?: string | undefined;
}

export function tasksSearch(search: RawSearch): TasksSearch {
  const by = oneIn(search, 'by', targetKinds);
  const environment = textIn(search, 'environment');
  return {
    q: textIn(search, 'q'),
    environment: environment === 'production' ? undefined : environment,
    by: by === 'nodes' ? undefined : by,
    targets: textIn(search, 'targets'),
    params: textIn(search, 'params'),
  };
}
