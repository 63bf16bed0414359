/** Commits of the staging directory: making them, keeping them, giving their objects out, mending what is damaged. */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Git } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CommitMessage } from './code-import.ts';
import { type CommitRequest, Committer } from './committer.ts';
import { type EnvironmentRecord, EnvironmentRecords, type RecordedCommit } from './environment-records.ts';
import { isCorruption, isDiskFull, withReason } from './failures.ts';
import { KnownScans } from './known-scans.ts';
import { type Pack, PackCache } from './pack-cache.ts';
import { Repository } from './repository.ts';
import { salvage } from './salvage.ts';
import { type CodePlace, findEnvironments, isEnvironmentName } from './staged-code.ts';
import { StagedCommits, sharedName, tryAgain } from './staged-commits.ts';
import type { Commits } from './termini.ts';

export interface CommitStoreOptions {
  readonly git: Git;
  /** Where the repository and all that is known of it lie. */
  readonly directory: string;
  /** `code-staging` */
  readonly stagingDirectory: string;
  /** Where environments are below the staging directory; `environments` when absent. */
  readonly environmentDirectories?: readonly string[];
  /** Other names that must not be served; none when absent. */
  readonly unserved?: readonly string[];
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many commits of each environment are kept; 50 when absent. */
  readonly keptCommits?: number;
  /** What belongs to no commit that is kept stays for so long; an hour when absent. */
  readonly graceSeconds?: number;
  /** Where a commit's files lie on this server: what a damaged repository is built from again. */
  readonly findCheckedOut?: (environment: string, commit: string) => CheckedOutCode | undefined;
}

export interface CheckedOutCode {
  readonly directory: string;
  readonly sharedDirectory: string | undefined;
}

export interface CommitOutcome {
  readonly commits: Commits;
  /** Environments that could not be committed, and why. They stay as they were. */
  readonly failures: ReadonlyMap<string, string>;
  /** Environments that are held by somebody else: left as they were. */
  readonly leftOut: readonly string[];
}

/** For the way back, and for agents with old catalogs. */
const defaultKeptCommits = 50;
/** Objects that belong to no commit yet are left alone for so long. */
const defaultGraceSeconds = 60 * 60;

export class CommitStore {
  readonly repository: Repository;
  private readonly options: CommitStoreOptions;
  private readonly records: EnvironmentRecords;
  private readonly scans: KnownScans;
  private readonly committer: Committer;
  private readonly staged: StagedCommits;
  private readonly packs: PackCache;
  private readonly queue = new SerialQueue();
  /** Environments that only who holds them commits. */
  private readonly held = new Set<string>();
  private collecting: Promise<void> = Promise.resolve();
  private commits: Commits = {};

  private constructor(options: CommitStoreOptions, records: EnvironmentRecords) {
    const { directory, git, log, now } = options;
    this.options = options;
    this.records = records;
    this.repository = new Repository(git, join(directory, 'puppet-code.git'));
    this.scans = new KnownScans(join(directory, 'scans'));
    this.packs = new PackCache(this.repository, (error, want) => this.afterBrokenPack(error, want));
    this.committer = new Committer({
      repository: this.repository,
      scans: this.scans,
      now,
      onSkipped: (place, names) =>
        log.warn({ directory: place, names: names.slice(0, 10) }, 'left out special files'),
    });
    this.staged = new StagedCommits({
      committer: this.committer,
      current: (environment) => this.records.get(environment)?.current,
      stagingDirectory: options.stagingDirectory,
      excluded: [...this.environmentDirectories, ...(options.unserved ?? [])],
      now,
    });
  }

  /** Reads what was committed before; mends what is damaged. */
  static async open(options: CommitStoreOptions): Promise<CommitStore> {
    const { directory, log } = options;
    await mkdir(directory, { recursive: true });
    const { records, unreadable } = await EnvironmentRecords.open({
      directory: join(directory, 'environments'),
      removedDirectory: join(directory, 'removed-environments'),
      keptCommits: options.keptCommits ?? defaultKeptCommits,
      now: options.now,
    });
    if (unreadable.length > 0) log.error({ files: unreadable }, 'could not read what was committed');
    const store = new CommitStore(options, records);
    await store.scans.removeUnfinished();
    await store.prepareRepository();
    await store.commitUnknown(unreadable.map((name) => name.replace(/\.json$/, '')));
    store.publish();
    return store;
  }

  /** What is to be served. The same object until it changes. */
  latest(): Commits {
    return this.commits;
  }

  /** What is kept of an environment; `undefined` when it does not exist. */
  record(environment: string): EnvironmentRecord | undefined {
    return this.records.get(environment);
  }

  /** The commits that are kept of an environment, the latest first; also of one that was removed not long ago. */
  history(environment: string): readonly RecordedCommit[] {
    return this.records.history(environment);
  }

  /**
   * Commits what is staged.
   *
   * @param environments - all, and those that are staged no more are forgotten, when absent
   * @param isHolder - whether the asker is the one who holds them
   * @throws what kept all of them from being committed: a full disk, a staging directory that can't be read; ServiceError
   * `conflict` when one that is named is held by somebody else
   */
  commit(
    environments: readonly string[] | undefined,
    message: CommitMessage,
    isHolder = false,
  ): Promise<CommitOutcome> {
    return this.queue.run(async () => {
      const isFree = (name: string) => isHolder || !this.held.has(name);
      const other = environments?.find((name) => !isFree(name));
      if (other !== undefined) throw heldByOther(other);
      try {
        return await this.withSoundRepository(() => this.commitNow(environments, message, isFree));
      } catch (err) {
        if (!isDiskFull(err)) throw err;
        this.options.log.error({ err }, 'the disk is full: nothing can be committed');
        const text = 'Could not commit, what was committed before stays: no space left on device';
        throw new ServiceError('unavailable', text, { kind: 'disk-full', cause: err });
      }
    });
  }

  /**
   * Makes an earlier commit of an environment the one that is served, until the next commit.
   *
   * @throws ServiceError `not-found` when it is not kept
   */
  activate(environment: string, commit: string): Promise<Commits> {
    return this.queue.run(async () => {
      const found = this.records.history(environment).find(({ id }) => id === commit);
      if (found === undefined)
        throw new ServiceError('not-found', `There is no commit ${commit} of environment '${environment}'`);
      await this.records.save(new Map([[environment, this.records.withCurrent(environment, found)]]));
      this.options.log.info({ environment, commit }, 'activated an earlier commit');
      this.publish();
      return this.commits;
    });
  }

  /** From now on only the holder commits the staged files of an environment, which are about to change. */
  hold(environment: string): Promise<void> {
    return this.queue.run(async () => void this.held.add(environment));
  }

  release(environment: string): void {
    this.held.delete(environment);
  }

  /** Stops serving an environment; its commits stay for 30 days. */
  forget(environment: string): Promise<Commits> {
    return this.queue.run(async () => {
      if (this.records.get(environment) !== undefined) await this.keep(new Map(), [environment]);
      return this.commits;
    });
  }

  /**
   * The objects of commits, without those of others.
   *
   * @param isSuspect - somebody could not use what it got: looks whether all is well, and mends what is not
   * @throws ServiceError `not-found` for commits that are not kept (any more)
   */
  async pack(want: readonly string[], have: readonly string[], isSuspect: boolean): Promise<Pack> {
    this.checkKept(want);
    if (isSuspect) await this.queue.run(() => this.examine(want));
    this.checkKept(want);
    const kept = this.records.allCommits();
    const known = have.filter((id) => kept.has(id));
    try {
      return await this.packs.get(want, known);
    } catch (error) {
      if (!isCorruption(error)) throw error;
      await this.queue.run(() => this.examine(want));
      this.checkKept(want);
      return await this.packs.get(want, []);
    }
  }

  /** Who asked sees the connection end and asks again: until then it may be mended. */
  private afterBrokenPack(err: unknown, want: readonly string[]): void {
    if (!isCorruption(err)) return;
    this.queue
      .run(() => this.examine(want))
      .catch((reason: unknown) =>
        this.options.log.error({ err: reason }, 'could not mend the repository of code'),
      );
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await this.queue.run(() => Promise.resolve());
    await this.collecting;
  }

  private checkKept(want: readonly string[]): void {
    const kept = this.records.allCommits();
    const unknown = want.find((id) => !kept.has(id));
    if (unknown !== undefined) throw new ServiceError('not-found', `There is no commit ${unknown}`);
  }

  private async commitNow(
    environments: readonly string[] | undefined,
    message: CommitMessage,
    isFree: (environment: string) => boolean,
  ): Promise<CommitOutcome> {
    const { misnamed, places } = await findEnvironments(
      this.options.stagingDirectory,
      this.environmentDirectories,
    );
    for (const name of misnamed)
      this.options.log.warn({ environment: name }, 'name of environment is not alphanumeric, left out');
    const wanted = new Map<string, CodePlace>();
    for (const name of environments ?? [...places.keys()].filter(isFree)) {
      const place = places.get(name);
      if (place === undefined) throw this.notStaged(name);
      wanted.set(name, place);
    }
    const failures = new Map<string, string>();
    const made = wanted.size === 0 ? new Map() : await this.staged.make(wanted, message, failures);
    const isGone = (name: string) => !places.has(name) && isFree(name);
    await this.keep(made, environments === undefined ? this.records.environments().filter(isGone) : []);
    const leftOut = environments === undefined ? [...this.held].filter((name) => !isFree(name)).sort() : [];
    return { commits: this.commits, failures, leftOut };
  }

  /** What was known of environments could not be read: they are not to be taken for deleted. */
  private async commitUnknown(names: readonly string[]): Promise<void> {
    const { places } = await findEnvironments(this.options.stagingDirectory, this.environmentDirectories);
    const staged = names.filter((name) => places.has(name));
    if (staged.length === 0) return;
    const { failures } = await this.commit(staged, rebuiltMessage);
    for (const [environment, reason] of failures)
      this.options.log.error({ environment, reason }, 'could not commit what is staged');
  }

  private notStaged(environment: string): ServiceError {
    const { stagingDirectory } = this.options;
    const message = isEnvironmentName(environment)
      ? `There is no environment '${environment}' in ${stagingDirectory}`
      : `The environment must be purely alphanumeric, not '${environment}'`;
    return new ServiceError('not-found', message);
  }

  /** Writes down what was made, and only then tells it. */
  private async keep(made: ReadonlyMap<string, RecordedCommit>, gone: readonly string[]): Promise<void> {
    const changed = new Map<string, EnvironmentRecord>();
    for (const [environment, commit] of made) {
      if (this.records.get(environment)?.current.tree === commit.tree) continue;
      changed.set(environment, this.records.withCurrent(environment, commit));
      const { author, id } = commit;
      this.options.log.info({ environment, commit: id, author: author.name }, 'committed code');
    }
    if (changed.size > 0) await this.records.save(changed);
    for (const environment of gone) {
      await this.records.remove(environment);
      await this.scans.forget(environment);
    }
    this.publish();
    this.collect();
  }

  /** In the background: unused objects go, the others are packed together. */
  private collect(): void {
    this.collecting = this.collecting.then(async () => {
      try {
        if (!(await this.repository.isScattered())) return;
        const { graceSeconds = defaultGraceSeconds } = this.options;
        await this.repository.collect([...this.records.allCommits()], graceSeconds);
      } catch (err) {
        this.options.log.warn({ err }, 'could not tidy up the repository of code, trying again later');
      }
    });
  }

  private async prepareRepository(): Promise<void> {
    try {
      await this.repository.open();
      const current = this.records.environments().map((name) => this.records.get(name)?.current.id ?? '');
      const there = await this.repository.details(current);
      if (current.every((id) => there.has(id))) {
        await rm(this.damagedDirectory, { recursive: true, force: true });
        return;
      }
      this.options.log.warn({}, 'the repository of code lacks commits');
    } catch (err) {
      if (!isCorruption(err)) throw err;
      this.options.log.warn({ err }, 'could not use the repository of code');
    }
    await this.rebuild();
  }

  private async withSoundRepository<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const err = await withReason(error, this.repository.directory);
      if (!isCorruption(err)) throw err;
      this.options.log.warn({ err }, 'could not use the repository of code');
      await this.rebuild();
      return await work();
    }
  }

  /** Looks at every object of commits. */
  private async examine(commits: readonly string[]): Promise<void> {
    const kept = this.records.allCommits();
    if (await this.repository.isSound(commits.filter((id) => kept.has(id)))) return;
    this.options.log.warn({ commits }, 'the repository of code is damaged');
    await this.rebuild();
  }

  /**
   * A new repository with the same commits: those that are whole in the old one. What is served and is not among them is
   * made of the files that lie checked out on this server; what does not lie here, or not unchanged, is committed anew
   * from the staging directory.
   */
  private async rebuild(): Promise<void> {
    await this.collecting;
    this.packs.forget();
    await this.scans.forgetAll();
    const saved = await this.salvage();
    const staged = await findEnvironments(this.options.stagingDirectory, this.environmentDirectories);
    const changed = new Map<string, EnvironmentRecord>();
    for (const environment of this.records.environments()) {
      const current = this.records.get(environment)?.current;
      const commit =
        current !== undefined && saved.has(current.id)
          ? current
          : ((await this.recommit(environment)) ?? (await this.commitAnew(environment, staged.places)));
      if (commit === undefined) await this.records.discard(environment);
      else changed.set(environment, this.records.onlyWith(environment, commit, saved));
    }
    await this.records.save(changed);
    await this.records.keepOfRemoved(saved);
    this.options.log.info(
      { environments: [...changed.keys()], commits: this.records.allCommits().size },
      'built the repository of code again',
    );
    this.publish();
  }

  /**
   * Begins a new repository with what is whole of the old one, which is gone afterwards.
   *
   * @returns the commits that it has
   */
  private async salvage(): Promise<ReadonlySet<string>> {
    const { damagedDirectory: damaged, repository } = this;
    // Where it is there already somebody was interrupted here, and the other is one that was only begun.
    if (existsSync(damaged)) await rm(repository.directory, { recursive: true, force: true });
    else if (existsSync(repository.directory)) await rename(repository.directory, damaged);
    await repository.open();
    const saved = await salvage(this.options.git, damaged, repository, this.records.byImportance());
    await rm(damaged, { recursive: true, force: true });
    return saved;
  }

  /** The commit that is served, from its files. */
  private async recommit(environment: string): Promise<RecordedCommit | undefined> {
    const { current } = this.records.get(environment) ?? {};
    if (current === undefined) return undefined;
    const files = this.options.findCheckedOut?.(environment, current.id);
    if (files === undefined) return undefined;
    const shared =
      files.sharedDirectory === undefined
        ? { tree: undefined, emptyDirectories: [] }
        : await this.committer.importShared(
            { directory: files.sharedDirectory, excluded: [] },
            `${sharedName}.served`,
          );
    const { author, dateMs, message } = current;
    const place = { name: current.directory, directory: files.directory };
    const commit = await this.commitOne({ author, message, dateMs, environment, place, shared });
    return commit?.id === current.id ? commit : undefined;
  }

  private async commitAnew(
    environment: string,
    places: ReadonlyMap<string, CodePlace>,
  ): Promise<RecordedCommit | undefined> {
    const place = places.get(environment);
    if (place === undefined) return undefined;
    const { author, message } = this.records.get(environment)?.current ?? rebuiltMessage;
    const shared = await this.staged.shared();
    const request = { author, message, dateMs: this.options.now(), environment, place, shared };
    return await tryAgain(() => this.commitOne({ ...request, remembered: environment }));
  }

  private async commitOne(request: CommitRequest): Promise<RecordedCommit | undefined> {
    const prepared = await this.committer.prepare(request, undefined);
    const made = await this.committer.make(prepared === undefined ? [] : [prepared]);
    return made.get(request.environment);
  }

  private publish(): void {
    const entries = this.records.environments().flatMap((name) => {
      const id = this.records.get(name)?.current.id;
      return id === undefined ? [] : [[name, id] as const];
    });
    this.commits = Object.fromEntries(entries);
  }

  private get damagedDirectory(): string {
    return `${this.repository.directory}.damaged`;
  }

  private get environmentDirectories(): readonly string[] {
    return this.options.environmentDirectories ?? ['environments'];
  }
}

const rebuiltMessage: CommitMessage = {
  message: 'What was staged when the repository was built again',
  author: { name: 'Bunraku', email: 'bunraku@localhost' },
};

function heldByOther(environment: string): ServiceError {
  const message = `Environment '${environment}' is being deployed by the code manager, or was so only in part: deploy it again`;
  return new ServiceError('conflict', message, { kind: 'being-deployed', details: { environment } });
}
