/** Where the index of nodes gets what it knows: PuppetDB. */

import type { Condition } from './node-condition.ts';
import type { NodeEntry } from './node-entry.ts';

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
  /** Calls back whenever something of a node was stored. @returns what ends that */
  onStored(listener: (certname: string) => void): () => void;
}
