/** Follows the commits of a source: fetches, checks out beside what is live, flips, prunes. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { inParallel } from '../../lib/in-parallel.ts';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Git } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { CodeCopy } from './code-copy.ts';
import type { CodeVersion, CodeVersions } from './code-versions.ts';
import type { CommitDetails } from './commit-details.ts';
import { isAbsence, isCorruption, isDiskFull, messageOf } from './failures.ts';
import { LiveLinks } from './live-links.ts';
import { OldCommits } from './old-commits.ts';
import { Repository } from './repository.ts';
import type { CommitSource, Latest, ReportedFailure } from './termini.ts';
import { VersionStore } from './version-store.ts';

export interface ClientOptions {
  readonly source: CommitSource;
  readonly versions: CodeVersions;
  readonly git: Git;
  /** Holds the versions, and what is known of them. */
  readonly directory: string;
  readonly log: Logger;
  /** How often the source is asked besides being told, and how long to wait while it can't be reached. */
  readonly pollIntervalMs: number;
  /** Called for each version before it goes live, so that its first request need not be slow. */
  readonly warm?: (version: CodeVersion) => Promise<void>;
  /** Where people and scripts find a version while it is live; nowhere when absent. */
  readonly linkPath?: (version: CodeVersion) => string;
  /** Called after versions were removed. */
  readonly onPruned?: () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface ClientStatus {
  /** Milliseconds since the epoch; `undefined` before the first time. */
  readonly lastCheckInMs: number | undefined;
  /** When the source last answered and all that it named was live, milliseconds since the epoch. */
  readonly lastSuccessMs: number | undefined;
  /** Why the source could not be asked; `undefined` when it could. */
  readonly unreachable: string | undefined;
  readonly failures: readonly ReportedFailure[];
}

/** Between two questions to a source that has nothing to say. */
const pauseMs = 500;

export class FileSyncClient {
  private readonly options: ClientOptions;
  private readonly copy: CodeCopy;
  private readonly store: VersionStore;
  private readonly oldCommits: OldCommits;
  private readonly links: LiveLinks | undefined;
  private readonly stopping = new AbortController();
  private readonly queue = new SerialQueue();
  private readonly first = Promise.withResolvers<void>();
  private following: Promise<void> | undefined;
  private tidying: Promise<void> = Promise.resolve();
  private tidyCount = 0;
  private known: Latest = { commits: {}, coming: [] };
  /** What the source has, live here or not. */
  private latest: Latest = { commits: {}, coming: [] };
  private failures = new Map<string, ReportedFailure>();
  private lastCheckInMs: number | undefined;
  private lastSuccessMs: number | undefined;
  private unreachable: string | undefined;
  private isRefused = false;

  constructor(options: ClientOptions) {
    const { directory, git, log, source } = options;
    this.options = options;
    this.copy = new CodeCopy(source, new Repository(git, join(directory, 'puppet-code.git')), log);
    this.store = new VersionStore(directory, this.copy.repository, log);
    this.oldCommits = new OldCommits(this.copy, options.now);
    if (options.linkPath !== undefined)
      this.links = new LiveLinks({ pathOf: options.linkPath, ownDirectory: directory, log });
  }

  /** Whether the source answered last that this server may have no code. */
  get isEntitled(): boolean {
    return !this.isRefused;
  }

  /** Makes live what was live when the process ended, without asking anybody. */
  async restore(): Promise<void> {
    for (const version of await this.store.restore()) await this.bringBack(version);
    await this.store.removePartial();
    this.tidy();
  }

  /** One poll that does not wait: afterwards what the source had is live here. */
  async synchronise(signal: AbortSignal = this.stopping.signal): Promise<void> {
    await this.adopt(await this.ask({ commits: {}, coming: [] }, 0, signal), signal);
  }

  /** Follows the source until `stop()`. */
  start(): void {
    this.following ??= this.follow();
  }

  /** Resolves when the source has been asked once, with or without success, or when patience ends. */
  async firstAttempt(patienceMs: number): Promise<void> {
    const ended = new AbortController();
    const patience = sleep(patienceMs, undefined, { signal: ended.signal }).catch(() => {}); // not needed any more
    await Promise.race([this.first.promise, patience]);
    ended.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
    await this.idle();
  }

  /** Resolves when what goes on in the background has ended: writing down what is live, pruning. */
  async idle(): Promise<void> {
    await this.queue.run(() => Promise.resolve());
    await this.tidying;
  }

  /** Whether an environment that is not live here will be: it is being deployed, or on its way to this server. */
  isComing(environment: string): boolean {
    const { coming, commits } = this.latest;
    if (coming.includes(environment)) return true;
    return Object.hasOwn(commits, environment) && !this.failures.has(environment);
  }

  get status(): ClientStatus {
    const { lastCheckInMs, lastSuccessMs, unreachable } = this;
    return { lastCheckInMs, lastSuccessMs, unreachable, failures: [...this.failures.values()] };
  }

  /**
   * A file of a commit that need not be live any more, or not yet.
   *
   * @param name - below the environment's directory
   * @returns `undefined` when there is no such commit or file
   */
  findFile(
    environment: string,
    codeId: string,
    name: string,
  ): Promise<{ readonly bytes: number; readonly open: () => Readable } | undefined> {
    const have = Object.values(this.options.versions.commits());
    return this.oldCommits.find({ environment, codeId, name }, have, this.stopping.signal);
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    const { log, pollIntervalMs } = this.options;
    let isWell = true;
    let waitMs = 0;
    while (!signal.aborted) {
      try {
        const { known } = this;
        const askedMs = performance.now();
        const latest = await this.ask(known, waitMs, signal);
        await this.adopt(latest, signal);
        // A source that ends answers at once and has no news: it must not be asked in a loop.
        if (performance.now() - askedMs < waitMs / 2 && isDeepStrictEqual(latest, known))
          await sleep(pauseMs, undefined, { signal });
        waitMs = pollIntervalMs;
        this.first.resolve();
        if (!isWell) log.info({}, 'following the primary again');
        isWell = true;
      } catch (error) {
        if (signal.aborted) return;
        if (isWell)
          log.warn(
            isAbsence(error) ? { reason: messageOf(error) } : { err: error },
            'could not synchronise code, trying again',
          );
        isWell = false;
        this.first.resolve();
        await sleep(pollIntervalMs, undefined, { signal }).catch(() => {}); // ended: the loop does, too
      }
    }
  }

  private async ask(known: Latest, waitMs: number, signal: AbortSignal): Promise<Latest> {
    const checkIn = { serving: this.options.versions.commits(), failures: [...this.failures.values()] };
    try {
      const latest = await this.options.source.latestCommits(checkIn, known, waitMs, signal);
      this.latest = latest;
      this.lastCheckInMs = this.options.now();
      this.unreachable = undefined;
      this.isRefused = false;
      return latest;
    } catch (error) {
      this.unreachable = messageOf(error);
      this.isRefused = error instanceof ServiceError && error.reason === 'forbidden';
      throw error;
    }
  }

  private adopt(latest: Latest, signal: AbortSignal): Promise<void> {
    const { commits } = latest;
    return this.queue.run(async () => {
      const { versions } = this.options;
      const wanted = Object.entries(commits).filter(
        ([name, commit]) => versions.current(name)?.commit !== commit,
      );
      this.failures = new Map(
        [...this.failures].filter(([name]) => wanted.some(([other]) => other === name)),
      );
      try {
        if (wanted.length > 0) await this.bringLive(wanted, signal);
      } catch (error) {
        if (isDiskFull(error)) await this.makeRoom();
        throw error;
      } finally {
        const gone = versions.environments().filter((name) => !Object.hasOwn(commits, name));
        for (const environment of gone) this.forget(environment);
        if (wanted.length > 0 || gone.length > 0) this.tidy();
      }
      this.known = latest;
      this.lastSuccessMs = this.options.now();
    });
  }

  private async bringLive(
    wanted: readonly (readonly [string, string])[],
    signal: AbortSignal,
  ): Promise<void> {
    const ids = [...new Set(wanted.map(([, commit]) => commit))];
    const have = Object.values(this.options.versions.commits());
    let details: ReadonlyMap<string, CommitDetails>;
    try {
      details = await this.copy.obtain(ids, have, signal);
    } catch (error) {
      for (const [environment, commit] of wanted) this.fail(environment, commit, error);
      throw error;
    }
    const damaged = await this.flipAll(wanted, details);
    if (damaged.length === 0) return this.throwFirstFailure();
    const again = await this.copy.obtainAnew(damaged[0]?.error, ids, signal);
    await this.flipAll(
      damaged.map(({ environment, commit }) => [environment, commit]),
      again,
    );
    this.throwFirstFailure();
  }

  /** One environment that can't be had must not keep the others old. @returns what a new repository may mend */
  private async flipAll(
    wanted: readonly (readonly [string, string])[],
    details: ReadonlyMap<string, CommitDetails>,
  ): Promise<readonly { environment: string; commit: string; error: unknown }[]> {
    const damaged: { environment: string; commit: string; error: unknown }[] = [];
    await inParallel(wanted, availableParallelism(), async ([environment, commit]) => {
      const known = details.get(commit);
      if (known === undefined) throw new Error('unreachable: details of all commits are there');
      try {
        await this.flip(environment, known);
        this.failures.delete(environment);
      } catch (error) {
        this.fail(environment, commit, error);
        if (isCorruption(error)) damaged.push({ environment, commit, error });
      }
    });
    return damaged;
  }

  private async flip(environment: string, details: CommitDetails): Promise<void> {
    const { log, versions, warm } = this.options;
    const began = performance.now();
    const base = versions.current(environment) ?? versions.current('production') ?? versions.any();
    const version = await this.store.checkOut(environment, details, base);
    await warm?.(version);
    versions.flip(version);
    const durationMs = Math.round(performance.now() - began);
    log.info({ environment, commit: version.commit, durationMs }, 'code is live');
  }

  /** One version that is not what it was keeps no other from being served: it is checked out again. */
  private async bringBack(version: CodeVersion): Promise<void> {
    const { log, versions, warm } = this.options;
    const { commit, environment } = version;
    try {
      await warm?.(version);
      versions.flip(version);
    } catch (err) {
      log.error({ err, environment, commit }, 'could not serve what was live before, getting it anew');
      this.store.distrust(version);
    }
  }

  private fail(environment: string, commit: string, error: unknown): void {
    this.failures.set(environment, { environment, commit, message: messageOf(error) });
  }

  private throwFirstFailure(): void {
    for (const { environment, message } of this.failures.values())
      throw new ServiceError('unavailable', `Could not bring environment '${environment}' live: ${message}`);
  }

  private forget(environment: string): void {
    this.options.versions.forget(environment);
    this.options.log.info({ environment }, 'environment is gone');
  }

  /** In the background, after requests for code: records the old commits and removes what is not needed. */
  private tidy(): void {
    this.tidyCount += 1;
    const turn = this.tidyCount;
    this.tidying = this.tidying.then(async () => {
      // What was asked for meanwhile does this one's work as well.
      if (turn !== this.tidyCount) return;
      try {
        const { versions } = this.options;
        const live = versions.environments().flatMap((name) => versions.current(name) ?? []);
        await this.links?.update(live);
        await this.store.save(live);
        await this.prune();
        // Between deploys: objects that one has fetched and not checked out yet look unused.
        await this.queue.run(() => this.copy.collect(versions.inUse().map(({ commit }) => commit)));
      } catch (err) {
        this.options.log.warn({ err }, 'could not tidy up code, trying again later');
      }
    });
  }

  private async prune(): Promise<void> {
    const aside = await this.queue.run(() => {
      const used = new Set(
        this.options.versions
          .inUse()
          .flatMap(({ directory, sharedDirectory }) => [directory, sharedDirectory]),
      );
      return this.store.prune((directory) => used.has(directory));
    });
    this.options.onPruned?.();
    await this.store.remove(aside);
  }

  /** The disk is full: what is only kept in case that somebody asks goes first. */
  private async makeRoom(): Promise<void> {
    const { log, versions } = this.options;
    log.error({}, 'the disk is full: new code can not go live');
    versions.dropEarlier();
    await this.store.removePartial();
  }
}
