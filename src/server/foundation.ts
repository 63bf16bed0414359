/** What every role stands on: settings, log, processes, git, database, metrics. */

import { join } from 'node:path';
import { Git } from '../platform/git/index.ts';
import { BodyBudget, TransferBudget } from '../platform/http/index.ts';
import type { RootLogger } from '../platform/log/index.ts';
import { Metrics } from '../platform/metrics/index.ts';
import { ProcessLauncher } from '../platform/processes/index.ts';
import { processEnvironment, type Settings } from '../platform/settings/index.ts';
import { type Database, type Migration, migrate, openSqliteDatabase } from '../platform/storage/index.ts';
import { type DiskWatch, watchDisks } from './disk-watch.ts';
import { tellIfEmptied } from './emptied-database.ts';
import { workerFile } from './worker-files.ts';

export interface Foundation {
  readonly settings: Settings;
  readonly log: RootLogger;
  /** Who starts programs. */
  readonly processes: ProcessLauncher;
  readonly git: Git;
  readonly database: Database;
  readonly metrics: Metrics;
  /** The memory for request bodies on all ports. */
  readonly bodyBudget: BodyBudget;
  /** The memory for bodies and answers that are on their way, on all ports. */
  readonly transfers: TransferBudget;
  readonly disks: DiskWatch;
}

/** Opens the database with its schema up to date; nothing listens yet. */
export async function layFoundation(
  settings: Settings,
  log: RootLogger,
  migrations: readonly Migration[],
  options: { readonly hasReaderThread: boolean },
): Promise<Foundation> {
  const path = join(settings.stateDir, 'bunraku.sqlite');
  await tellIfEmptied(path, log);
  const database = await openSqliteDatabase({
    path,
    workerUrl: workerFile('sqlite-worker'),
    ...options,
  });
  await migrate(database, migrations);
  const environment = processEnvironment();
  const processes = new ProcessLauncher({
    workerUrl: workerFile('launcher-worker'),
    environment,
    now: () => performance.now(),
  });
  const git = new Git(environment, processes.start);
  return {
    settings,
    log,
    processes,
    git,
    database,
    metrics: new Metrics(),
    bodyBudget: new BodyBudget(),
    transfers: new TransferBudget(),
    disks: watchDisks(settings, log.child({ service: 'disk' })),
  };
}
