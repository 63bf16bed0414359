/** What is asked of a deploy. */

import type { Author } from '../../../platform/changes/index.ts';

export interface DeployRequest {
  readonly author: Author;
  /** As people say them; corrected as branch names are. */
  readonly environments: readonly string[];
  readonly deploysModules: boolean;
  /** The only modules to bring; all when empty. */
  readonly modules: readonly string[];
  /** Looks whether the code is fit before it is served. */
  readonly isValidated: boolean;
  /** Certnames whose catalogs must compile then. */
  readonly validatedNodes: readonly string[];
  /** Removes the environments, when no source has them, even when nodes use them. */
  readonly purgesUsed?: boolean;
}

/** How environments are to be deployed. */
export type Terms = Omit<DeployRequest, 'author' | 'environments'>;
