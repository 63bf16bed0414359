/** What a mount is: a name before a path, and where it leads. */

import type { Boundary } from '../boundary.ts';
import type { FilesetRoot } from '../fileset.ts';
import type { CodeVersion } from '../termini.ts';
import type { VersionCache } from '../version-cache.ts';

export interface MountContext {
  readonly version: CodeVersion;
  /** Where the version's files may lie. */
  readonly boundary: Boundary;
  readonly cache: VersionCache;
  /** The setting `codedir`. */
  readonly codeDirectory: string;
  /** Who asks; `undefined` without a certificate. */
  readonly certname: string | undefined;
}

export interface SearchResult {
  /** Merged in this order: of two entries with the same path the earlier wins. */
  readonly roots: readonly FilesetRoot[];
  /** Only the roots themselves, whatever the request says. */
  readonly isShallow: boolean;
}

export interface Mount {
  /** True when all that it leads to belongs to the code version, and so cannot change. */
  readonly isVersioned: boolean;
  /**
   * @param path - behind the mount's name; `undefined` when there is none
   * @returns `undefined` when there is no such file
   */
  find(path: string | undefined, context: MountContext): Promise<FilesetRoot | undefined>;
  search(path: string | undefined, context: MountContext): Promise<SearchResult | undefined>;
}
