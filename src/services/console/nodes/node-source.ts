/** Where the index of nodes gets what it knows: PuppetDB. */

import type { Condition } from './node-condition.ts';
import type { NodeEntry } from './node-entry.ts';

/** How a run ended. */
export type RunEnd = Pick<
  NodeEntry,
  'environment' | 'isCorrective' | 'isNoop' | 'isNoopPending' | 'reportStatus'
>;

/** Runs that ended in the same minute, in the same way. */
export interface CountedRuns extends RunEnd {
  /** Milliseconds since 1970. */
  readonly endMs: number;
  readonly count: number;
}

export interface NodeSource {
  /** Of all active nodes. */
  names(signal: AbortSignal): Promise<readonly string[]>;
  /** Those of them that are there. */
  read(certnames: readonly string[], signal: AbortSignal): Promise<readonly NodeEntry[]>;
  /** Nodes for which a condition holds. @throws ServiceError `bad-request` for one that PuppetDB does not take */
  find(condition: Condition, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Values of facts.
   *
   * @param paths - `os.name`
   * @returns by certname, then by path; without those that a node does not have
   */
  facts(
    certnames: readonly string[],
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;
  /**
   * The runs that ended from a time on, counted; those whose reports have come since another time one by one.
   *
   * @param times - milliseconds since 1970
   */
  runs(
    times: { readonly endedFromMs: number; readonly producedFromMs: number },
    signal: AbortSignal,
  ): Promise<{
    readonly earlier: readonly CountedRuns[];
    readonly recent: readonly (CountedRuns & { readonly hash: string })[];
  }>;
  /** Calls back whenever something of a node was stored. @returns what ends that */
  onStored(listener: (certname: string) => void): () => void;
}
