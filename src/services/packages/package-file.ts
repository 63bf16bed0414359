/** Files of a repository. */

/** A package, whole. */
export interface PackageFile {
  readonly name: string;
  readonly content: Buffer;
  /** When it was put there. */
  readonly modified: Date;
}

/** What package managers read first. */
export interface IndexFile {
  /** Relative to the platform's directory. */
  readonly name: string;
  readonly content: Buffer;
}
