/** The primary's side of file sync: what is committed, and who follows it. */

import { isDeepStrictEqual } from 'node:util';
import { compareCodePoints } from '../../lib/code-point-order.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { CommitMessage } from './code-import.ts';
import { type CommitOutcome, CommitStore, type CommitStoreOptions } from './commit-store.ts';
import { CommittedFiles } from './committed-files.ts';
import type { EnvironmentRecord, RecordedCommit } from './environment-records.ts';
import { areSameCommits, type ClientState, Followers } from './followers.ts';
import type { Pack } from './pack-cache.ts';
import type { Repository } from './repository.ts';
import type { CheckIn, Commits, Latest } from './termini.ts';

export type StorageOptions = CommitStoreOptions;

/** Timers know no more: a longer one would end at once. Who waits looks at the time again. */
const longestTimeoutMs = 2 ** 31 - 1;
const awaitedLookMs = 1000;

export class FileSyncStorage {
  private readonly store: CommitStore;
  private readonly followers: Followers;
  private readonly waiters = new Set<() => void>();
  /** Environments that are being deployed, as often as they are. */
  private readonly announced: string[] = [];
  private readonly now: () => number;
  private hasReleased = false;

  private constructor(store: CommitStore, now: () => number) {
    this.store = store;
    this.now = now;
    this.followers = new Followers(now);
  }

  /** Reads what was committed before; commits the staging directory when there was nothing yet. */
  static async open(options: StorageOptions): Promise<FileSyncStorage> {
    const store = await CommitStore.open(options);
    if (Object.keys(store.latest()).length === 0) {
      const { failures } = await store.commit(undefined, initialCommit);
      for (const [environment, reason] of failures)
        options.log.error({ environment, reason }, 'could not commit what is staged');
    }
    return new FileSyncStorage(store, options.now);
  }

  /** Commit by environment. The same object until something changes. */
  latestCommits(): Commits {
    return this.store.latest();
  }

  /** What is kept of an environment; `undefined` when it does not exist. */
  record(environment: string): EnvironmentRecord | undefined {
    return this.store.record(environment);
  }

  /** The commits that are kept of an environment, the latest first; also of one that was removed not long ago. */
  history(environment: string): readonly RecordedCommit[] {
    return this.store.history(environment);
  }

  /**
   * Commits what is staged; what could not be committed stays as it was.
   *
   * @param environments - all, and those that are staged no more are forgotten, when absent
   * @throws what kept all of them from being committed: a full disk, a staging directory that can't be read
   */
  async commit(environments: readonly string[] | undefined, message: CommitMessage): Promise<CommitOutcome> {
    const outcome = await this.store.commit(environments, message);
    this.wake();
    return outcome;
  }

  /** @throws ServiceError naming an environment that could not be committed; the others have been */
  async commitAll(message: CommitMessage): Promise<Commits> {
    return settled(await this.commit(undefined, message));
  }

  /**
   * Commits one environment for its holder.
   *
   * @throws ServiceError `not-found` when the environment is not staged
   */
  async commitEnvironment(environment: string, message: CommitMessage): Promise<Commits> {
    const outcome = await this.store.commit([environment], message, true);
    this.wake();
    return settled(outcome);
  }

  /** From now on only `commitEnvironment` commits what is staged of an environment, which somebody is about to change. */
  hold(environment: string): Promise<void> {
    return this.store.hold(environment);
  }

  release(environment: string): void {
    this.store.release(environment);
  }

  /**
   * Makes an earlier commit of an environment the one that is served, until the next commit.
   *
   * @throws ServiceError `not-found` when it is not kept
   */
  async activate(environment: string, commit: string): Promise<Commits> {
    const commits = await this.store.activate(environment, commit);
    this.wake();
    return commits;
  }

  /** Stops serving an environment; its commits stay for 30 days, and `activate` brings it back. */
  async forget(environment: string): Promise<Commits> {
    const commits = await this.store.forget(environment);
    this.wake();
    return commits;
  }

  /** @see CommitStore.pack */
  async pack(want: readonly string[], have: readonly string[], isSuspect: boolean): Promise<Pack> {
    const before = this.store.latest();
    try {
      return await this.store.pack(want, have, isSuspect);
    } finally {
      // Mending may have led to other commits.
      if (this.store.latest() !== before) this.wake();
    }
  }

  /** Notes what a client serves; asked with each of its polls. */
  checkIn(certname: string, checkIn: CheckIn): ClientState {
    const state = this.followers.checkIn(certname, checkIn);
    this.wake();
    return state;
  }

  /** Notes that a client went away, unless it has come back since that check-in. */
  checkOut(state: ClientState): void {
    this.followers.checkOut(state);
    this.wake();
  }

  /** A server has left for good: it is not waited for, and no status shows it. */
  forgetClient(certname: string): void {
    this.followers.forget(certname);
    this.wake();
  }

  clients(): readonly ClientState[] {
    return this.followers.all();
  }

  /** Clients in contact. */
  presentClients(): readonly ClientState[] {
    return this.followers.present();
  }

  /** Servers that followed before a restart: `untilServed` waits for them, too, while they may still be on their way. */
  expectClients(certnames: readonly string[]): void {
    this.followers.expect(certnames);
  }

  /** Those of them that have not been heard of yet. */
  awaitedClients(): readonly string[] {
    return this.followers.awaited();
  }

  /** Waits until all clients in contact serve what `isServedBy` asks for. @returns whether they do */
  async untilServed(
    isServedBy: (client: ClientState) => boolean,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const deadline = this.now() + timeoutMs;
    for (;;) {
      const isAwaiting = this.awaitedClients().length > 0;
      if (!isAwaiting && this.presentClients().every(isServedBy)) return true;
      const leftMs = deadline - this.now();
      if (leftMs <= 0 || signal.aborted) return false;
      // That somebody is given up shows by time alone.
      await this.changed(isAwaiting ? Math.min(leftMs, awaitedLookMs) : leftMs, signal);
    }
  }

  /** Whether a client serves exactly what is committed. */
  isCurrent(client: ClientState): boolean {
    return areSameCommits(this.store.latest(), client.serving);
  }

  /** Resolves at the next commit or check-in, when time is up, or when the caller gives up. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.waiters.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(timeoutMs, longestTimeoutMs));
      this.waiters.add(finish);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
    });
  }

  /**
   * Says that an environment is being deployed: servers that do not have it yet tell agents to ask again.
   *
   * @returns to be called when that has ended, one way or the other
   */
  announce(environment: string): () => void {
    this.announced.push(environment);
    this.wake();
    return () => {
      this.announced.splice(this.announced.indexOf(environment), 1);
      this.wake();
    };
  }

  private latest(): Latest {
    const commits = this.store.latest();
    const coming = this.announced.filter((environment) => !Object.hasOwn(commits, environment));
    return { commits, coming: Array.from(new Set(coming)).sort(compareCodePoints) };
  }

  /** Waits until there is something else than what the asker knows; gives up when time is up. */
  async waitForCommits(known: Latest, waitMs: number, signal: AbortSignal): Promise<Latest> {
    const deadline = performance.now() + waitMs;
    while (!signal.aborted && !this.hasReleased && this.isLatest(known)) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      await this.changed(leftMs, signal);
    }
    return this.latest();
  }

  private isLatest({ coming, commits }: Latest): boolean {
    const latest = this.latest();
    return areSameCommits(latest.commits, commits) && isDeepStrictEqual(latest.coming, coming);
  }

  /** Answers all clients that wait for commits, now and later: the server is about to end. */
  releaseWaiting(): void {
    this.hasReleased = true;
    this.wake();
  }

  /** Resolves when nothing is under way any more. */
  idle(): Promise<void> {
    return this.store.idle();
  }

  /** The files of the commits that are kept. */
  get files(): CommittedFiles {
    return new CommittedFiles(this.store.repository, (environment) => this.history(environment));
  }

  /** For this server's own client: it needs no copy. */
  get repository(): Repository {
    return this.store.repository;
  }

  private wake(): void {
    // Each removes itself, which iterating over a Set allows.
    for (const waiter of this.waiters) waiter();
  }
}

const initialCommit: CommitMessage = {
  message: 'What was staged when file sync began',
  author: { name: 'Bunraku', email: 'bunraku@localhost' },
};

function settled({ commits, failures }: CommitOutcome): Commits {
  for (const [environment, reason] of failures)
    throw new ServiceError('conflict', `Could not commit environment '${environment}': ${reason}`);
  return commits;
}
