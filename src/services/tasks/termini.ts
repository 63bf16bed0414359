/** What the catalogue of tasks needs from elsewhere. */

/** A module as the environment sees it: earlier ones of the same name have hidden later ones. */
export interface CodeModule {
  readonly name: string;
  /** Where its files are on disk. */
  readonly directory: string;
}

/** One version of one environment's code. */
export interface CodeVersion {
  /** `null` where code has no versions. */
  readonly codeId: string | null;
  readonly modules: readonly CodeModule[];
  /** Where the environment's files are on disk. */
  readonly directory: string;
  /** How messages name that directory. */
  readonly logicalDirectory: string;
  /** Called when everything has been read; the version may be pruned then. */
  readonly release?: () => void;
}

export interface CodeTerminus {
  /** @returns the live version; `undefined` when there is no such environment */
  withVersion(environment: string): CodeVersion | undefined;
}
