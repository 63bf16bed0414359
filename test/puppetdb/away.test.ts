/** A PostgreSQL that is not there. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { openPuppetDb, puppetDbRoutes } from '../../src/services/puppetdb/index.ts';
import { postgresPrograms, startPostgres } from '../support/running-postgres.ts';
import { startPuppetDb } from './running-puppetdb.ts';

const anyone = { kind: 'anyone' } as const;

test('queries to a database that cannot be reached are answered with 503', async () => {
  const now = (): Date => new Date();
  const puppetDb = await openPuppetDb({
    location: {
      kind: 'postgresql',
      url: 'postgresql://nobody@%2Fnowhere/none',
      connections: 2,
      statementTimeoutMs: 1000,
    },
    workerUrl: new URL('../../src/services/puppetdb/threads/puppetdb-worker.ts', import.meta.url),
    log: silentLogger,
    now,
    newId: randomUUID,
    queryThreads: 1,
    queryTimeoutMs: 10_000,
    lifetimes: {},
  });
  const http = createHttpServer({
    routes: puppetDbRoutes({ puppetDb, allow: anyone, allowAdmin: anyone, now }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');

  const reply = await fetch(`http://127.0.0.1:${port}/pdb/query/v4/nodes`);
  await reply.text();
  await http.drain(1000);
  await puppetDb.close();

  expect(reply.status).toBe(503);
});

test.skipIf(postgresPrograms === undefined)(
  'queries are answered after PostgreSQL was killed and came back (skipped where it is not installed)',
  async () => {
    const postgres = await startPostgres({ isDurable: true });
    const puppetDb = await startPuppetDb(await postgres.createDatabase());
    await puppetDb.puppetDb.query('nodes{}');

    await postgres.crash();
    const rows = await puppetDb.puppetDb.query('nodes{}');
    await puppetDb.stop();
    await postgres.stop();

    expect(rows).toEqual([]);
  },
);
