/** What the code manager needs from elsewhere. */

/** What becomes of staged code: file sync, in the words of deploys. */
export interface CodeStorage {
  /** An environment is to be deployed: agents that ask for it before it is there may wait. @returns to be called at the end */
  announce(environment: string): () => void;
  /** The staged files of an environment are about to change: until `release` only `commit` commits them. */
  hold(environment: string): Promise<void>;
  release(environment: string): void;
  /** Makes what is staged of an environment what is served. @returns the commit, the present one when nothing changed */
  commit(environment: string, message: string): Promise<string>;
  /** Stops serving an environment; `activate` brings it back. */
  remove(environment: string): Promise<void>;
  /** Makes an earlier commit what is served. */
  activate(environment: string, commit: string): Promise<void>;
  /** Makes the staging directory what is served now; on this server at least that must be live. */
  restoreStaging(environment: string): Promise<void>;
  /** The commits that are kept of an environment, the latest first; also of one that was removed not long ago. */
  history(environment: string): readonly StoredCommit[];
  /** One of the commits that are kept. */
  find(environment: string, commit: string): StoredCommit | undefined;
  /** The commit that is to be served, by environment. */
  current(): Readonly<Record<string, string>>;
  servers(): readonly ServingServer[];
  /** Waits until all servers that are in contact serve a commit. @returns whether they do */
  waitUntilServed(
    environment: string,
    commit: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export interface StoredCommit {
  readonly id: string;
  readonly date: Date;
  readonly message: string;
}

export interface ServingServer {
  readonly certname: string;
  readonly lastCheckIn: Date | undefined;
  /** Commit by environment. */
  readonly serving: Readonly<Record<string, string>>;
}

/** Knows which environments are in use. */
export interface EnvironmentUse {
  /**
   * Tells who uses an environment, for people: `2 nodes (a.example.com, b.example.com)`.
   *
   * @returns `undefined` when no node is known to use it
   */
  findUsers(environment: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Looks whether staged code is fit to be served. */
export interface CodeCheck {
  /**
   * @param nodes - certnames whose catalogs must compile
   * @returns what is wrong, for people; nothing when all is well
   */
  check(request: CodeCheckRequest): Promise<readonly string[]>;
}

export interface CodeCheckRequest {
  readonly environment: string;
  readonly directory: string;
  readonly nodes: readonly string[];
  readonly signal: AbortSignal;
}
