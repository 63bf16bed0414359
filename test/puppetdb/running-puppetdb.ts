/** A PuppetDB of ours for tests: a database of its own, plain HTTP on a free port. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { type Logger, silentLogger } from '../../src/platform/log/index.ts';
import {
  type Database,
  type DatabaseLocation,
  fixedSql,
  openDirectDatabase,
} from '../../src/platform/storage/index.ts';
import { puppetDbStatusRoutes } from '../../src/server/ports/puppetdb-status.ts';
import {
  type Lifetimes,
  openPuppetDb,
  type PuppetDb,
  puppetDbRoutes,
} from '../../src/services/puppetdb/index.ts';

const anyone = { kind: 'anyone' } as const;

export interface RunningPuppetDb {
  readonly url: string;
  /** The same, but without a route for clients. */
  readonly refusingUrl: string;
  readonly puppetDb: PuppetDb;
  /** A connection of the test's own. */
  readonly database: Database;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Sets its clock. */
  setTime(time: Date): void;
  stop(): Promise<void>;
}

const start = new Date('2026-11-21T11:00:00.000Z');

const tables = [
  'catalog_inputs',
  'catalogs',
  'dead_letters',
  'edge_sets',
  'environments',
  'events',
  'event_sets',
  'fact_shapes',
  'facts',
  'factsets',
  'nodes',
  'packages',
  'parameters',
  'producers',
  'report_documents',
  'reports',
  'resource_counts',
  'resources',
];

/** @param location - an empty database; a file of its own when absent */
export async function startPuppetDb(
  location?: DatabaseLocation,
  lifetimes: Lifetimes = {},
  log: Logger = silentLogger,
): Promise<RunningPuppetDb> {
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-puppetdb-'));
  const place = location ?? { kind: 'sqlite', path: join(directory, 'database.sqlite') };
  let time = start;
  let commands = 0;
  const now = (): Date => time;
  const puppetDb = await openPuppetDb({
    location: place,
    workerUrl: new URL('../../src/services/puppetdb/threads/puppetdb-worker.ts', import.meta.url),
    log,
    now,
    newId: () => `00000000-0000-4000-8000-${String(++commands).padStart(12, '0')}`,
    queryThreads: 1,
    queryTimeoutMs: 60_000,
    lifetimes,
  });
  const http = createHttpServer({
    routes: [
      ...puppetDbRoutes({ puppetDb, allow: anyone, allowAdmin: anyone, now }),
      ...puppetDbStatusRoutes(puppetDb, silentLogger),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  const denyAll = { kind: 'certname', allows: () => false } as const;
  const refusing = createHttpServer({
    routes: puppetDbRoutes({ puppetDb, allow: denyAll, allowAdmin: denyAll, now }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const refusingPort = await refusing.listen(0, '127.0.0.1');
  const database = await openDirectDatabase(place, 'writer');
  return {
    url: `http://127.0.0.1:${port}`,
    refusingUrl: `http://127.0.0.1:${refusingPort}`,
    puppetDb,
    database,
    clear: async () => {
      await database.write(tables.map((table) => fixedSql(`delete from pdb_${table}`)));
      time = start;
    },
    setTime: (value) => {
      time = value;
    },
    stop: async () => {
      await Promise.all([http.drain(1000), refusing.drain(1000)]);
      await database.close();
      await puppetDb.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
