/** All sources: which environments there are, and where they go. */

import { join, relative } from 'node:path';
import type { Logger } from '../../../platform/log/index.ts';
import type { CodeConfiguration, SourceConfiguration } from '../configuration/configuration.ts';
import { isCacheDamaged } from '../deploy-error.ts';
import type { GitCaches } from '../git/git-caches.ts';
import type { EnvironmentDefinition } from './environment-definition.ts';
import { listBranches } from './git-source.ts';
import { listHash } from './hash-source.ts';

export interface SourcesOptions {
  readonly configuration: CodeConfiguration;
  readonly caches: GitCaches;
  readonly stagingDirectory: string;
  readonly codeDirectory: string;
  readonly log: Logger;
}

export interface Listing {
  /** What sources had at this time or later; monotonic milliseconds. */
  readonly sinceMs: number;
  readonly environments: readonly EnvironmentDefinition[];
  /** Names that several branches or sources want, with what to say about it: none of these can be deployed. */
  readonly collisions: ReadonlyMap<string, string>;
  /** Sources that could not be asked, with the reason. */
  readonly failures: readonly SourceFailure[];
}

export interface SourceFailure {
  readonly source: string;
  readonly basedir: string;
  readonly error: Error;
}

const mostTold = 10_000;

export class Sources {
  private readonly options: SourcesOptions;
  /** What was told already. */
  private readonly told = new Set<string>();

  constructor(options: SourcesOptions) {
    this.options = options;
  }

  /** Where a source's environments go. What is for the live directory goes to the staging directory. */
  basedirOf({ basedir }: SourceConfiguration): string {
    const { stagingDirectory, codeDirectory } = this.options;
    if (basedir === undefined) return join(stagingDirectory, 'environments');
    for (const live of [codeDirectory, '/etc/puppetlabs/code']) {
      const below = relative(live, basedir);
      if (below !== '' && !below.startsWith('..')) return join(stagingDirectory, below);
    }
    return basedir;
  }

  get basedirs(): readonly string[] {
    return [...new Set(this.options.configuration.sources.map((source) => this.basedirOf(source)))];
  }

  /**
   * Asks every source. One that does not answer does not keep the others from being used.
   *
   * @param sinceMs - answers must be at least as new as this; monotonic milliseconds
   */
  async list(sinceMs: number, signal: AbortSignal): Promise<Listing> {
    const failures: SourceFailure[] = [];
    const lists = await Promise.all(
      this.options.configuration.sources.map(async (source) => {
        try {
          return await this.listOne(source, sinceMs, signal);
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          if (isCacheDamaged(error)) throw error;
          failures.push({
            source: source.name,
            basedir: this.basedirOf(source),
            error: describe(source, error as Error),
          });
          return [];
        }
      }),
    );
    const environments = lists.flat();
    return { sinceMs, environments, collisions: collisionsOf(environments), failures };
  }

  private async listOne(
    source: SourceConfiguration,
    sinceMs: number,
    signal: AbortSignal,
  ): Promise<readonly EnvironmentDefinition[]> {
    const basedir = this.basedirOf(source);
    if (source.kind !== 'git') return (await listHash(source, basedir)).environments;
    const cache = this.options.caches.of(source.remote);
    await cache.refresh(sinceMs, signal);
    const { environments, warnings } = await listBranches(source, basedir, cache);
    for (const warning of warnings) this.tell(source.name, warning);
    return environments;
  }

  /** Once is enough: sources are asked with every deploy. */
  private tell(source: string, warning: string): void {
    if (this.told.has(warning)) return;
    if (this.told.size >= mostTold) this.told.clear();
    this.told.add(warning);
    this.options.log.warn({ source, warning }, 'a branch is no environment, or under another name');
  }
}

function describe(source: SourceConfiguration, error: Error): Error {
  if (source.kind !== 'git') return error;
  return new Error(`Unable to determine current branches for Git source '${source.name}': ${error.message}`, {
    cause: error,
  });
}

/** Two must not write to one directory. */
function collisionsOf(environments: readonly EnvironmentDefinition[]): ReadonlyMap<string, string> {
  const seen = new Map<string, EnvironmentDefinition>();
  const collisions = new Map<string, string>();
  for (const environment of environments) {
    const { directory, name } = environment;
    const other = seen.get(directory);
    if (other !== undefined)
      collisions.set(
        name,
        `Environment collision at ${directory} between ${originOf(other)} and ${originOf(environment)}`,
      );
    seen.set(directory, environment);
  }
  return collisions;
}

function originOf({ content, name, source }: EnvironmentDefinition): string {
  return `${source}:${content.kind === 'git' ? content.ref : name}`;
}
