/** The client's repository: gets what it lacks from the source, and begins anew when it is damaged. */

import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ifThere } from '../../lib/if-there.ts';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { GitError } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CommitDetails } from './commit-details.ts';
import { isCorruption } from './failures.ts';
import type { Repository } from './repository.ts';
import type { CommitSource } from './termini.ts';

/** Details of commits that are remembered. */
const manyKnown = 2000;

export class CodeCopy {
  readonly repository: Repository;
  private readonly source: CommitSource;
  private readonly log: Logger;
  /** What is taken in and what is thrown away must not meet. */
  private readonly queue = new SerialQueue();
  private isOpen = false;
  /** What was found to be here as a whole. */
  private readonly known = new Map<string, CommitDetails>();

  /** @param repository - the client's own; that of the source, if it has one in this process, is used instead */
  constructor(source: CommitSource, repository: Repository, log: Logger) {
    this.source = source;
    this.repository = source.repository ?? repository;
    this.log = log;
  }

  /**
   * Details of commits, which are here as a whole afterwards.
   *
   * @param have - commits that should be here already, and have files in common with them
   * @throws ServiceError when the source has no answer, or does not know a commit
   */
  obtain(
    commits: readonly string[],
    have: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CommitDetails>> {
    return this.queue.run(async () => {
      try {
        return await this.get(commits, have, signal);
      } catch (err) {
        if (!isCorruption(err)) throw err;
        return await this.beginAnew(err, commits, signal);
      }
    });
  }

  /** As `obtain`, when what is here turned out to be damaged. */
  obtainAnew(
    reason: unknown,
    commits: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, CommitDetails>> {
    return this.queue.run(() => this.beginAnew(reason, commits, signal));
  }

  /** Throws away what none of the commits needs, when it is worth it. */
  collect(keep: readonly string[]): Promise<void> {
    return this.queue.run(async () => {
      if (this.isSources() || !this.isOpen || !(await this.repository.isScattered())) return;
      const there = await this.repository.details(keep);
      this.known.clear();
      await this.repository.collect([...there.keys()], 0);
    });
  }

  private async get(commits: readonly string[], have: readonly string[], signal: AbortSignal) {
    if (!this.isSources() && !this.isOpen) await this.repository.open();
    this.isOpen = true;
    if (this.known.size > manyKnown) this.known.clear();
    const asked = (this.isSources() ? commits : [...commits, ...have]).filter((id) => !this.known.has(id));
    // Present commits are known: any other is news, without a look at the disk.
    const isNews = !this.isSources() && have.length > 0 && have.every((id) => this.known.has(id));
    if (!isNews) await this.look(asked);
    const missing = commits.filter((id) => !this.known.has(id));
    if (missing.length === 0) return this.all(commits);
    if (this.isSources()) throw new GitError(`commits are missing: ${missing.join(' ')}`, 1);
    await this.receive(
      missing,
      have.filter((id) => this.known.has(id)),
      false,
      signal,
    );
    const broken = commits.filter((id) => !this.known.has(id));
    // It came without what we said that we had.
    if (broken.length > 0) throw new GitError(`commits are not whole: ${broken.join(' ')}`, 1);
    return this.all(commits);
  }

  private async look(commits: readonly string[]): Promise<void> {
    for (const [id, details] of await this.repository.details(commits)) this.known.set(id, details);
  }

  private async beginAnew(err: unknown, commits: readonly string[], signal: AbortSignal) {
    if (this.isSources()) {
      // The source mends its repository when it is asked like this, and says so; what it answers is of no use here.
      const pack = await this.source.fetch({ want: commits, have: [], isSuspect: true, signal });
      if (!Buffer.isBuffer(pack)) pack.destroy();
      this.known.clear();
      await this.look(commits);
      return this.all(commits);
    }
    this.log.warn({ err }, 'the repository of code is damaged, getting everything anew');
    const { directory } = this.repository;
    const damaged = `${directory}.damaged`;
    await rm(damaged, { recursive: true, force: true });
    await ifThere(rename(directory, damaged));
    await rm(damaged, { recursive: true, force: true });
    this.known.clear();
    await this.repository.open();
    this.isOpen = true;
    await this.receive(commits, [], true, signal);
    return this.all(commits);
  }

  private async receive(
    want: readonly string[],
    have: readonly string[],
    isSuspect: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const pack = await this.source.fetch({ want, have, isSuspect, signal });
    const stream = Buffer.isBuffer(pack) ? Readable.from([pack]) : pack;
    for (const [id, details] of await this.repository.receive(stream, want, signal))
      this.known.set(id, details);
  }

  /** For the caller to keep: what is known here may be forgotten at any time. */
  private all(commits: readonly string[]): ReadonlyMap<string, CommitDetails> {
    const details = new Map<string, CommitDetails>();
    for (const id of commits) {
      const known = this.known.get(id);
      if (known === undefined) throw new ServiceError('bad-gateway', `Commit ${id} did not arrive`);
      details.set(id, known);
    }
    return details;
  }

  private isSources(): boolean {
    return this.source.repository !== undefined;
  }
}
