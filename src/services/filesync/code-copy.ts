/** The client's repository: gets what it lacks from the source, and begins anew when it is damaged. */

import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { SerialQueue } from '../../lib/serial-queue.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { GitError } from '../../platform/git/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { CommitDetails } from './commit-details.ts';
import { isDisorder } from './failures.ts';
import type { Repository } from './repository.ts';
import type { CommitSource } from './termini.ts';

export class CodeCopy {
  readonly repository: Repository;
  private readonly source: CommitSource;
  private readonly log: Logger;
  /** What is taken in and what is thrown away must not meet. */
  private readonly queue = new SerialQueue();
  private isOpen = false;

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
        if (!isDisorder(err)) throw err;
        return await this.beginAnew(err, commits, signal);
      }
    });
  }

  /** As `obtain`, when what is here turned out to be damaged. */
  obtainAnew(reason: unknown, commits: readonly string[], signal: AbortSignal) {
    return this.queue.run(() => this.beginAnew(reason, commits, signal));
  }

  /** Throws away what none of the commits needs, when it is worth it. */
  collect(keep: readonly string[]): Promise<void> {
    return this.queue.run(async () => {
      if (this.isSources() || !this.isOpen || !(await this.repository.isScattered())) return;
      const there = await this.repository.details(keep);
      await this.repository.collect([...there.keys()], 0);
    });
  }

  private async get(commits: readonly string[], have: readonly string[], signal: AbortSignal) {
    if (!this.isSources() && !this.isOpen) await this.repository.open();
    this.isOpen = true;
    const there = await this.repository.details([...commits, ...have]);
    const missing = commits.filter((id) => !there.has(id));
    if (missing.length === 0) return there;
    if (this.isSources()) throw new GitError(`commits are missing: ${missing.join(' ')}`, 1);
    await this.receive(
      missing,
      have.filter((id) => there.has(id)),
      false,
      signal,
    );
    return await this.allDetails(commits);
  }

  private async beginAnew(err: unknown, commits: readonly string[], signal: AbortSignal) {
    this.log.warn({ err }, 'the repository of code is damaged, getting everything anew');
    if (this.isSources()) {
      // The source mends its repository when it is asked like this; what it answers is of no use here.
      const pack = await this.source.fetch({ want: commits, have: [], isSuspect: true, signal });
      if (!Buffer.isBuffer(pack)) pack.destroy();
      return await this.allDetails(commits);
    }
    const { directory } = this.repository;
    const damaged = `${directory}.damaged`;
    await rm(damaged, { recursive: true, force: true });
    await rename(directory, damaged).catch(ignoreMissing);
    await rm(damaged, { recursive: true, force: true });
    await this.repository.open();
    this.isOpen = true;
    await this.receive(commits, [], true, signal);
    return await this.allDetails(commits);
  }

  private async receive(
    want: readonly string[],
    have: readonly string[],
    isSuspect: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const pack = await this.source.fetch({ want, have, isSuspect, signal });
    await this.repository.receive(Buffer.isBuffer(pack) ? Readable.from([pack]) : pack, signal);
  }

  private async allDetails(commits: readonly string[]): Promise<ReadonlyMap<string, CommitDetails>> {
    const details = await this.repository.details(commits);
    const missing = commits.filter((id) => !details.has(id));
    if (missing.length === 0) return details;
    throw new ServiceError('bad-gateway', `Commits did not arrive: ${missing.join(' ')}`);
  }

  private isSources(): boolean {
    return this.source.repository !== undefined;
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as { readonly code?: string }).code !== 'ENOENT') throw error;
}
