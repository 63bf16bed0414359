/** Where facts, events, packages and catalogs come from. */

import type { CatalogToCompare } from './catalog-diff.ts';

export interface FleetSource {
  /** The rows of a query of PuppetDB, in its AST, that begins with `from`. */
  rows(query: readonly unknown[], signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * All rows of a query in PQL: the text of a JSON array, in parts that are made as they are taken.
   *
   * @throws ServiceError `bad-request` in PuppetDB's words
   */
  rowsInParts(pql: string, signal: AbortSignal): Promise<AsyncIterable<string | Uint8Array>>;
  /** The catalog that PuppetDB has. @returns `undefined` for a node without one */
  storedCatalog(certname: string, signal: AbortSignal): Promise<CatalogToCompare | undefined>;
  /**
   * Compiles a catalog, which is not stored.
   *
   * @param environment - that of the node when absent
   * @throws ServiceError `not-found` without facts or environment, `compile-failed` in Puppet's words
   */
  compileCatalog(
    certname: string,
    environment: string | undefined,
    signal: AbortSignal,
  ): Promise<CatalogToCompare>;
}
