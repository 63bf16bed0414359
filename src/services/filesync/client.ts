/** Follows the commits of a source: fetches, checks out beside what is live, flips, prunes. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type CodeVersion, type CodeVersions, codeIdOf } from './code-versions.ts';
import type { Commits } from './storage.ts';
import type { CommitSource } from './termini.ts';

export interface ClientOptions {
  readonly source: CommitSource;
  readonly versions: CodeVersions;
  /** Holds `versions/ENVIRONMENT/COMMIT/` and `live.json`. */
  readonly directory: string;
  /** Gets a link `environments/NAME` to each live version, for people and for scripts in modules; optional. */
  readonly linkDirectory?: string;
  readonly log: Logger;
  /** How long to wait between polls while the source can't be reached; 5 s as file sync's default. */
  readonly pollIntervalMs: number;
  /** Called for each version before it goes live, so that its first request need not be slow. */
  readonly warm?: (version: CodeVersion) => Promise<void>;
  /** Called after versions were removed. */
  readonly onPruned?: () => void;
}

const longPollMs = 25_000;

export class FileSyncClient {
  private readonly options: ClientOptions;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;
  private lastSuccess: number | undefined;
  private known: Commits = {};

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** Makes live what was live when the process ended, without asking anybody. */
  async restore(): Promise<void> {
    const path = this.livePath();
    if (!existsSync(path)) return;
    const saved = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
    for (const [environment, commit] of Object.entries(saved)) {
      const version = this.versionAt(environment, commit);
      if (!existsSync(version.directory)) continue;
      await this.options.warm?.(version);
      this.options.versions.flip(version);
    }
  }

  /** One poll that does not wait: afterwards what the source had is live here. */
  async synchronise(signal: AbortSignal = this.stopping.signal): Promise<void> {
    const { versions, source } = this.options;
    const commits = await source.latestCommits(versions.commits(), {}, 0, signal);
    await this.adopt(commits, signal);
  }

  /** Follows the source until `stop()`. */
  start(): void {
    this.following ??= this.follow();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  /** When the source last answered and all it named was made live, milliseconds of `performance.now()`. */
  get lastSynchronisedMs(): number | undefined {
    return this.lastSuccess;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    let isReachable = true;
    while (!signal.aborted) {
      try {
        const serving = this.options.versions.commits();
        const commits = await this.options.source.latestCommits(serving, this.known, longPollMs, signal);
        await this.adopt(commits, signal);
        if (!isReachable) this.options.log.info({}, 'following the primary again');
        isReachable = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isReachable) this.options.log.warn({ err: error }, 'could not synchronise code, trying again');
        isReachable = false;
        await sleep(this.options.pollIntervalMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  private async adopt(commits: Commits, signal: AbortSignal): Promise<void> {
    const { versions } = this.options;
    const failures: unknown[] = [];
    const changed = Object.entries(commits).filter(
      ([environment, commit]) => versions.current(environment)?.commit !== commit,
    );
    // One environment that can't be had must not keep the others old.
    const results = await Promise.allSettled(
      changed.map(([environment, commit]) => this.bringLive(environment, commit, signal)),
    );
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
    const gone = versions.environments().filter((environment) => !(environment in commits));
    for (const environment of gone) await this.forget(environment);
    if (changed.length > 0 || gone.length > 0) {
      await mkdir(this.options.directory, { recursive: true });
      await writeFileAtomically(this.livePath(), JSON.stringify(versions.commits()));
      await this.prune();
    }
    if (failures.length > 0) throw failures[0];
    this.known = commits;
    this.lastSuccess = performance.now();
  }

  private async bringLive(environment: string, commit: string, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const version = this.versionAt(environment, commit);
    if (!existsSync(version.directory)) await this.checkOut(version, signal);
    await this.options.warm?.(version);
    this.options.versions.flip(version);
    await this.link(version);
    const durationMs = Math.round(performance.now() - began);
    this.options.log.info({ environment, commit, durationMs }, 'code is live');
  }

  private async checkOut(version: CodeVersion, signal: AbortSignal): Promise<void> {
    const { environment, commit, directory } = version;
    const repository = await this.options.source.repositoryWith(environment, commit, signal);
    // Until the rename nothing finds it: a process that ends here leaves a directory that is removed next time.
    const partial = `${directory}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(dirname(directory), { recursive: true });
    await repository.checkout(commit, partial);
    await rename(partial, directory);
  }

  private async link(version: CodeVersion): Promise<void> {
    const { linkDirectory } = this.options;
    if (linkDirectory === undefined) return;
    const path = join(linkDirectory, 'environments', version.environment);
    await mkdir(dirname(path), { recursive: true });
    await rm(`${path}.new`, { force: true });
    await symlink(version.directory, `${path}.new`);
    await rename(`${path}.new`, path);
  }

  private async forget(environment: string): Promise<void> {
    this.options.versions.forget(environment);
    this.options.log.info({ environment }, 'environment is gone');
    if (this.options.linkDirectory !== undefined)
      await rm(join(this.options.linkDirectory, 'environments', environment), { force: true });
  }

  /** Removes versions that nobody needs any more, and what an interrupted checkout left. */
  private async prune(): Promise<void> {
    const root = join(this.options.directory, 'versions');
    for (const environment of await readdir(root).catch(() => [])) {
      for (const name of await readdir(join(root, environment))) {
        const path = join(root, environment, name);
        if (!this.options.versions.isInUse(path)) await rm(path, { recursive: true, force: true });
      }
    }
    this.options.onPruned?.();
  }

  private versionAt(environment: string, commit: string): CodeVersion {
    const directory = this.versionPath(environment, commit);
    return { environment, commit, codeId: codeIdOf(environment, commit), directory };
  }

  private versionPath(environment: string, commit: string): string {
    return join(this.options.directory, 'versions', environment, commit);
  }

  private livePath(): string {
    return join(this.options.directory, 'live.json');
  }
}
