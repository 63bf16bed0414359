/** What an environment is to be made of. */

/** Arguments of a module by name, as a Puppetfile's `mod` or the `modules` of an environment have them. */
export type ModuleArguments = ReadonlyMap<string, unknown>;

export interface EnvironmentDefinition {
  /** Letters, digits and underscores only. */
  readonly name: string;
  /** The name before prefixes and corrections: what the deploy's record calls it. */
  readonly title: string;
  readonly source: string;
  /** Where it goes: `BASEDIR/NAME`. */
  readonly directory: string;
  readonly content: EnvironmentContent;
  readonly puppetfileName: string;
  /** Modules of the definition itself, by title. */
  readonly modules: ReadonlyMap<string, ModuleArguments | string | null>;
  /** Where modules go: absolute, or relative to the environment. */
  readonly moduleDirectory: string;
  readonly moduleConflicts: 'override_and_warn' | 'override' | 'error';
}

export type EnvironmentContent =
  | {
      readonly kind: 'git';
      readonly remote: string;
      /** A branch, or what a definition calls `version`. */
      readonly ref: string;
    }
  | { readonly kind: 'tarball'; readonly location: string; readonly checksum: string | undefined }
  | { readonly kind: 'plain' };

/** What a source has: environments, and messages about those that it does not have. */
export interface SourceListing {
  readonly environments: readonly EnvironmentDefinition[];
  readonly warnings: readonly string[];
}
