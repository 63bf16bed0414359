/** The primary's side of file sync: commits the staging directory and knows which client serves what. */

import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Git } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type CommitMessage, Repository } from './repository.ts';

export interface StorageOptions {
  readonly git: Git;
  /** Where the bare repositories lie. */
  readonly directory: string;
  /** `code-staging`; environments are below `environments/`. */
  readonly stagingDirectory: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Commit by environment. */
export type Commits = Readonly<Record<string, string>>;

export interface ClientState {
  readonly certname: string;
  readonly serving: Commits;
  readonly lastCheckInMs: number;
  /** Its connection ended while it waited for news. */
  readonly hasLeft: boolean;
}

const environmentName = /^[a-z0-9_]+$/i;

export class FileSyncStorage {
  private readonly options: StorageOptions;
  private readonly repositories = new Map<string, Repository>();
  private readonly commits = new Map<string, string>();
  private readonly clientStates = new Map<string, ClientState>();
  private readonly queue = new SerialQueue();
  private readonly waiters = new Set<() => void>();
  private hasReleased = false;

  private constructor(options: StorageOptions) {
    this.options = options;
  }

  /** Reads what was committed before; commits the staging directory when there was nothing yet. */
  static async open(options: StorageOptions): Promise<FileSyncStorage> {
    await mkdir(options.directory, { recursive: true });
    const storage = new FileSyncStorage(options);
    for (const name of await readdir(options.directory)) {
      if (!name.endsWith('.git')) continue;
      const environment = name.slice(0, -'.git'.length);
      const commit = await storage.repository(environment).head();
      if (commit !== undefined && existsSync(storage.stagedPath(environment)))
        storage.commits.set(environment, commit);
    }
    if (storage.commits.size === 0) await storage.commitAll(initialCommit);
    return storage;
  }

  repository(environment: string): Repository {
    if (!environmentName.test(environment))
      throw new ServiceError(
        'bad-request',
        `The environment must be purely alphanumeric, not '${environment}'`,
      );
    const known = this.repositories.get(environment);
    if (known !== undefined) return known;
    const repository = new Repository(this.options.git, join(this.options.directory, `${environment}.git`));
    this.repositories.set(environment, repository);
    return repository;
  }

  latestCommits(): Commits {
    return Object.fromEntries([...this.commits].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Commits every staged environment; environments that are staged no more are forgotten. */
  commitAll(message: CommitMessage): Promise<Commits> {
    return this.queue.run(async () => {
      const staged = await this.stagedEnvironments();
      for (const environment of staged) await this.commitOne(environment, message);
      for (const environment of this.commits.keys())
        if (!staged.includes(environment)) this.commits.delete(environment);
      this.wake();
      return this.latestCommits();
    });
  }

  /** @throws ServiceError `not-found` when the environment is not staged */
  commitEnvironment(environment: string, message: CommitMessage): Promise<Commits> {
    return this.queue.run(async () => {
      if (!environmentName.test(environment) || !existsSync(this.stagedPath(environment)))
        throw new ServiceError(
          'not-found',
          `There is no environment '${environment}' in ${this.options.stagingDirectory}`,
        );
      await this.commitOne(environment, message);
      this.wake();
      return this.latestCommits();
    });
  }

  /** Notes what a client serves; asked with each of its polls. */
  checkIn(certname: string, serving: Commits): ClientState {
    const state = { certname, serving, lastCheckInMs: this.options.now(), hasLeft: false };
    this.clientStates.set(certname, state);
    this.wake();
    return state;
  }

  /** Notes that a client went away, unless it has come back since that check-in. */
  checkOut(state: ClientState): void {
    if (this.clientStates.get(state.certname) !== state) return;
    this.clientStates.set(state.certname, { ...state, hasLeft: true });
    this.wake();
  }

  clients(): readonly ClientState[] {
    return [...this.clientStates.values()];
  }

  /** Whether a client serves exactly what is committed. */
  isCurrent(client: ClientState): boolean {
    const latest = this.latestCommits();
    const names = new Set([...Object.keys(latest), ...Object.keys(client.serving)]);
    return [...names].every((name) => latest[name] === client.serving[name]);
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
      const timer = setTimeout(finish, timeoutMs);
      this.waiters.add(finish);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
    });
  }

  /** Answers whoever waits for commits, now and from now on: the server is about to end. */
  releaseWaiting(): void {
    this.hasReleased = true;
    this.wake();
  }

  /** Whether nobody is kept waiting any more. */
  get releasesWaiting(): boolean {
    return this.hasReleased;
  }

  private wake(): void {
    // Each removes itself, which iterating over a Set allows.
    for (const waiter of this.waiters) waiter();
  }

  private async commitOne(environment: string, message: CommitMessage): Promise<void> {
    const before = this.commits.get(environment);
    const commit = await this.repository(environment).commitDirectory(this.stagedPath(environment), message);
    this.commits.set(environment, commit);
    if (before !== commit)
      this.options.log.info({ environment, commit, author: message.author.name }, 'committed code');
  }

  private async stagedEnvironments(): Promise<string[]> {
    const directory = join(this.options.stagingDirectory, 'environments');
    if (!existsSync(directory)) return [];
    const found: string[] = [];
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
      if (environmentName.test(entry.name)) found.push(entry.name);
      else
        this.options.log.warn(
          { environment: entry.name },
          'name of environment is not alphanumeric, left out',
        );
    }
    return found.sort();
  }

  private stagedPath(environment: string): string {
    return join(this.options.stagingDirectory, 'environments', environment);
  }
}

const initialCommit: CommitMessage = {
  message: 'What was staged when file sync began',
  author: { name: 'Bunraku', email: 'bunraku@localhost' },
};
