/** A PuppetDB of ours for tests: a database of its own, plain HTTP on a free port. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../src/platform/storage/index.ts';
import {
  CommandProcessor,
  puppetDbMigrations,
  puppetDbRoutes,
  QueryService,
} from '../../src/services/puppetdb/index.ts';

export interface RunningPuppetDb {
  readonly url: string;
  readonly database: Database;
  /** Sets its clock. */
  setTime(time: Date): void;
  stop(): Promise<void>;
}

export async function startPuppetDb(): Promise<RunningPuppetDb> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-puppetdb-'));
  const database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
  await migrate(database, puppetDbMigrations);
  let time = new Date('2026-11-21T11:00:00.000Z');
  let commands = 0;
  const now = (): Date => time;
  const routes = puppetDbRoutes({
    processor: new CommandProcessor({ database, log: silentLogger, now }),
    queries: new QueryService(database),
    allow: { kind: 'anyone' },
    now,
    newId: () => `00000000-0000-4000-8000-${String(++commands).padStart(12, '0')}`,
  });
  const http = createHttpServer({
    routes,
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    database,
    setTime: (value) => {
      time = value;
    },
    stop: async () => {
      await http.drain(1000);
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
