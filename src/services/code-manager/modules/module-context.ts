/** What bringing a module needs, and what comes of it. */

import type { Logger } from '../../../platform/log/index.ts';
import type { EnvironmentState } from '../deploy/environment-state.ts';
import type { Forge } from '../forge/forge.ts';
import type { CheckoutRestorer } from '../git/checkout-restorer.ts';
import type { GitCaches } from '../git/git-caches.ts';

export interface ModuleContext {
  readonly caches: GitCaches;
  readonly forge: Forge;
  /** An archive at a URL or path, checked and kept. @returns where it is and what its SHA-256 is */
  readonly tarball: (location: string, checksum: string | undefined, signal: AbortSignal) => Promise<Tarball>;
  /** The branch of the control repository that the environment is of. */
  readonly controlBranch: string | undefined;
  /** Branches must be at least as new as this; monotonic milliseconds. */
  readonly sinceMs: number;
  readonly state: EnvironmentState;
  /** Of the environment. */
  readonly directory: string;
  /** On the file system of the environment, for what is moved there when it is complete. */
  readonly temporaryDirectory: string;
  /** Gets modules that are what they were: several of them are looked at together. */
  readonly restorer: CheckoutRestorer;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface Tarball {
  readonly path: string;
  readonly sha256: string;
}

/** What `.r10k-deploy.json` says of a module. */
export interface ModuleOutcome {
  readonly name: string;
  readonly version: string;
  readonly sha: string | null;
}
