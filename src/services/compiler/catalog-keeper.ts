/** Keeps catalogs after their agents have them. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/log/index.ts';
import type { CatalogTerminus, CatalogToKeep } from './termini.ts';
import type { KeptCatalog } from './worker-protocol.ts';

export type CatalogRun = Pick<CatalogToKeep, 'certname' | 'environment' | 'transactionUuid' | 'jobId'>;

/** What is made within this time is kept at once: it shares a sync of the disk, and no agent waits for that. */
const gatherMs = 100;

export class CatalogKeeper {
  private readonly catalogs: CatalogTerminus;
  private readonly log: Logger;
  private readonly inFlight = new Set<Promise<void>>();
  private gathered: Promise<void> | undefined;

  constructor(catalogs: CatalogTerminus, log: Logger) {
    this.catalogs = catalogs;
    this.log = log;
  }

  /** The name of a node's kept catalog; `undefined` also when that cannot be found out: then all is made anew. */
  async findContent(certname: string): Promise<string | undefined> {
    return await this.catalogs.findContent(certname).catch((err: unknown) => {
      this.log.warn({ certname, err }, 'could not look up what is kept of a catalog');
      return undefined;
    });
  }

  /** Returns at once. @param made - `undefined` when there is nothing to keep after all */
  keep(run: CatalogRun, made: Promise<KeptCatalog | undefined>): void {
    const work = made
      .then(async (catalog) => {
        if (catalog === undefined) return;
        const { content, contentId, ...rest } = catalog;
        await this.gather();
        await this.catalogs.save({ ...run, ...rest }, contentId, content);
      })
      .catch((err: unknown) => {
        this.log.error({ certname: run.certname, err }, 'catalog could not be kept');
      })
      .finally(() => this.inFlight.delete(work));
    this.inFlight.add(work);
  }

  /** Waits for all that is being kept. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  private gather(): Promise<void> {
    this.gathered ??= sleep(gatherMs).then(() => {
      this.gathered = undefined;
    });
    return this.gathered;
  }
}
