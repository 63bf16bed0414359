/** Tasks of operators: archives, garbage collection, statistics. */

import type { Readable } from 'node:stream';
import { importArchive } from './admin/import-archive.ts';
import type { Timer } from './metrics/histogram.ts';
import type { CleanRequest, Lifetimes } from './store/garbage.ts';
import type { IngestThread } from './threads/ingest-thread.ts';
import type { QueryThreads } from './threads/query-threads.ts';

export interface AdministrationOptions {
  readonly ingest: IngestThread;
  readonly queries: QueryThreads;
  readonly now: () => Date;
  /** After which data that is over is forgotten by `clean`. */
  readonly lifetimes: Lifetimes;
  /** How long cleaning takes. */
  readonly cleaningTimes: Pick<Timer, 'add'>;
}

export class Administration {
  private readonly options: AdministrationOptions;
  private isCleaning = false;

  constructor(options: AdministrationOptions) {
    this.options = options;
  }

  /** Everything that active nodes have sent, as a tar file. @param profile - what it must not show; `none` */
  async exportArchive(profile: string, signal: AbortSignal): Promise<Readable> {
    const { now, queries } = this.options;
    return await queries.archive(profile, now(), signal);
  }

  /**
   * Carries out what is in an archive of this or another PuppetDB.
   *
   * @param archive - tar, gzipped
   * @returns how many commands there were
   * @throws ServiceError `bad-request` when it is no archive
   */
  async importArchive(archive: Readable, signal: AbortSignal): Promise<number> {
    const { ingest } = this.options;
    return await importArchive(archive, {
      signal,
      carryOut: (command) => ingest.submit(command, undefined),
    });
  }

  /** Sizes and row counts of the tables. */
  async stats(signal: AbortSignal): Promise<unknown> {
    return await this.options.queries.stats(signal);
  }

  /** Deletes expired data in small steps. @returns false when a run is in progress already */
  async clean(request: CleanRequest): Promise<boolean> {
    if (this.isCleaning) return false;
    this.isCleaning = true;
    const began = performance.now();
    try {
      const { cleaningTimes, ingest, lifetimes } = this.options;
      await ingest.clean(request, lifetimes);
      cleaningTimes.add(performance.now() - began);
      return true;
    } finally {
      this.isCleaning = false;
    }
  }

  /** Forgets a node with all that it sent. */
  async deleteNode(certname: string): Promise<void> {
    await this.options.ingest.deleteNode(certname);
  }
}
