/** What the file server needs from elsewhere. */

import type { Readable } from 'node:stream';

/** A module as the environment sees it: earlier ones of the same name have hidden later ones. */
interface ServedModule {
  readonly name: string;
  /** Where it lies on disk. */
  readonly directory: string;
}

/** One version of one environment's code. */
export interface CodeVersion {
  /** `null` where code has no versions. */
  readonly codeId: string | null;
  /** In the order of the environment's module path. */
  readonly modules: readonly ServedModule[];
  /** The folders of the module path that exist; empty when not known. */
  readonly modulePath?: readonly string[];
  /** Where the environment lies on disk: no symbolic link, no slash at its end. */
  readonly directory: string;
  /** What its users call that directory, and metadata shows. */
  readonly logicalDirectory: string;
  /** What belongs to the version but lies elsewhere: modules that all environments share. */
  readonly mappings?: readonly { readonly logicalDirectory: string; readonly physicalDirectory: string }[];
  /** True when files may change while they are served (an environment used in place, without versions). */
  readonly isMutable?: boolean;
  /** Called when a request has opened or read all that it needs; the version may be pruned then. */
  readonly release?: () => void;
}

export interface CodeTerminus {
  /**
   * @param codeId - a version by name; the current one when absent
   * @returns `undefined` when there is no such environment or version
   */
  withVersion(environment: string, codeId?: string): CodeVersion | undefined;
}

/** Single files of versions that are not served (any more, or yet). */
export interface OldCodeTerminus {
  /** @returns `undefined` when there is no such version or no such file in it */
  find(
    environment: string,
    codeId: string,
    path: string,
  ): Promise<{ readonly bytes: number; readonly open: () => Readable } | undefined>;
}
