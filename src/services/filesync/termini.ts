/** What a file sync client needs from elsewhere. */

import type { Repository } from './repository.ts';
import type { Commits } from './storage.ts';

/** Where commits come from: the primary's storage, over the network or in the same process. */
export interface CommitSource {
  /**
   * The commits to serve. Tells the source what is served now; waits up to `waitMs` for an answer that differs
   * from `known`.
   */
  latestCommits(serving: Commits, known: Commits, waitMs: number, signal: AbortSignal): Promise<Commits>;
  /** A local repository in which the commit is. */
  repositoryWith(environment: string, commit: string, signal: AbortSignal): Promise<Repository>;
}
