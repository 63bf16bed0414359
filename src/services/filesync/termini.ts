/** What a file sync client needs from elsewhere. */

import type { Pack } from './pack-cache.ts';
import type { Repository } from './repository.ts';

/** Commit by environment. */
export type Commits = Readonly<Record<string, string>>;

/** The commits to serve, and those to come. */
export interface Latest {
  readonly commits: Commits;
  /** Environments that are being deployed and have no commit yet, in order. */
  readonly coming: readonly string[];
}

/** A commit that a server could not bring live. */
export interface ReportedFailure {
  readonly environment: string;
  readonly commit: string;
  readonly message: string;
}

/** What a client says of itself when it asks. */
export interface CheckIn {
  readonly serving: Commits;
  readonly failures: readonly ReportedFailure[];
  /** It is the primary's own client. */
  readonly isLocal?: boolean;
}

/** Where commits come from: the primary's storage, over the network or in the same process. */
export interface CommitSource {
  /** The commits to serve. Waits up to `waitMs` for an answer that differs from `known`. */
  latestCommits(checkIn: CheckIn, known: Latest, waitMs: number, signal: AbortSignal): Promise<Latest>;
  /**
   * The objects of commits that are not in the client's repository, as git's pack.
   *
   * @param isSuspect - what was got before could not be used: the source looks whether it is sound
   */
  fetch(request: FetchRequest): Promise<Pack>;
  /** The source's own repository, for a client in the same process: nothing to fetch then. */
  readonly repository?: Repository;
}

export interface FetchRequest {
  readonly want: readonly string[];
  /** Commits of which everything is in the client's repository. */
  readonly have: readonly string[];
  readonly isSuspect: boolean;
  readonly signal: AbortSignal;
}
