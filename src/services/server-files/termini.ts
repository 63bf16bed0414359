/** Files that compile servers need besides code. */

/** A file or directory that compile servers are to have. */
export interface WantedPath {
  /** Absolute and normalised. */
  readonly path: string;
  /** Where it is named, for messages: `compile_server_files`, `hiera.yaml of production`. */
  readonly source: string;
  /** A server without it does not serve. */
  readonly isRequired: boolean;
}

export interface OfferedFile {
  readonly path: string;
  readonly isProgram: boolean;
  readonly content: Buffer;
}

/** A wanted path that could not be read on the primary. */
export interface PathProblem extends WantedPath {
  readonly reason: string;
}

/** All that compile servers are to have. */
export interface Payload {
  /** The files and directories that are wanted, also those that could not be read. */
  readonly paths: readonly string[];
  readonly files: readonly OfferedFile[];
  readonly problems: readonly PathProblem[];
  /** The global `hiera.yaml`; absent when the primary has none. */
  readonly hieraConfig?: string;
}
