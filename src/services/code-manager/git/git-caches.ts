/** One cache for each remote. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Git } from '../../../platform/git/index.ts';
import type { GitConfiguration } from '../configuration/configuration.ts';
import { CheckoutRestorer } from './checkout-restorer.ts';
import { accessEnvironment, accessTo, checkRemote, withoutCredentials } from './git-access.ts';
import { GitCache } from './git-cache.ts';

export interface GitCachesOptions {
  readonly git: Git;
  readonly directory: string;
  readonly configuration: GitConfiguration;
  readonly idleTimeoutMs: number;
  readonly commandEnvironment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

export class GitCaches {
  private readonly options: GitCachesOptions;
  private readonly caches = new Map<string, GitCache>();

  constructor(options: GitCachesOptions) {
    this.options = options;
  }

  /** For one deploy. */
  restorer(): CheckoutRestorer {
    return new CheckoutRestorer(this.options.git);
  }

  /** @throws DeployError for an invalid remote */
  of(remote: string): GitCache {
    const known = this.caches.get(remote);
    if (known !== undefined) return known;
    checkRemote(remote);
    const { configuration, directory, ...others } = this.options;
    const cache = new GitCache({
      ...others,
      remote,
      directory: join(directory, directoryName(remote)),
      access: () => accessEnvironment(remote, accessTo(remote, configuration)),
    });
    this.caches.set(remote, cache);
    return cache;
  }
}

/** Readable, and different for different remotes. */
function directoryName(remote: string): string {
  const readable = withoutCredentials(remote)
    .replaceAll(/[^\w@.-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-100);
  return `${readable}-${createHash('sha256').update(remote).digest('hex').slice(0, 12)}.git`;
}
