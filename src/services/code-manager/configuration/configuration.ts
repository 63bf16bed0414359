/** What `r10k.yaml` says, decoded. */

export interface CodeConfiguration {
  readonly sources: readonly SourceConfiguration[];
  readonly git: GitConfiguration;
  readonly forge: ForgeConfiguration;
  readonly deploy: DeployConfiguration;
  /** How many modules of an environment are brought at the same time. */
  readonly poolSize: number;
  /** Where git repositories and archives are kept; ours when absent. */
  readonly cacheDirectory: string | undefined;
  /** Run after each deploy, with `$modifiedenvs` replaced; no shell. */
  readonly postrun: readonly string[];
}

export type SourceConfiguration = GitSourceConfiguration | HashSourceConfiguration;

interface CommonSourceConfiguration {
  readonly name: string;
  /** Absolute; below the staging directory when absent. */
  readonly basedir: string | undefined;
  /** `true` stands for the source's name. */
  readonly prefix: boolean | string;
  /** A prefix, or `/a regular expression/`. */
  readonly stripComponent: string | undefined;
  readonly puppetfileName: string;
}

export interface GitSourceConfiguration extends CommonSourceConfiguration {
  readonly kind: 'git';
  readonly remote: string;
  readonly invalidBranches: InvalidBranches;
  readonly ignoreBranchPrefixes: readonly string[];
  readonly filterCommand: string | undefined;
}

/** Sources that list their environments: in a file, in a directory of files, or as what a command prints. */
export interface HashSourceConfiguration extends CommonSourceConfiguration {
  readonly kind: 'yaml' | 'yamldir' | 'exec';
  /** A file, a directory, or a command. */
  readonly config: string;
}

export type InvalidBranches = 'correct' | 'correct_and_warn' | 'error';

export interface GitConfiguration {
  /** What a module follows that names no reference. */
  readonly defaultRef: string | undefined;
  readonly access: GitAccess;
  readonly repositories: readonly (GitAccess & { readonly remote: string })[];
}

/** How a host is reached. An empty proxy is none. */
export interface GitAccess {
  readonly privateKey?: string | undefined;
  /** A file with a token. */
  readonly oauthToken?: string | undefined;
  readonly proxy?: string | undefined;
}

export interface ForgeConfiguration {
  /** `https://...`, or `file:///...` for a directory of archives. */
  readonly baseurl: string;
  readonly proxy: string | undefined;
  /** The whole value of the header. */
  readonly authorizationToken: string | undefined;
  readonly allowPuppetfileOverride: boolean;
}

export type PurgeLevel = 'deployment' | 'environment' | 'puppetfile';

export interface DeployConfiguration {
  readonly purgeLevels: readonly PurgeLevel[];
  readonly purgeAllowlist: readonly string[];
  /** Why nothing may be deployed at present. */
  readonly writeLock: string | undefined;
  readonly excludeSpec: boolean;
}
