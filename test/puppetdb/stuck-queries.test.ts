/** Queries that do not end by themselves. */

import { expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { openPuppetDb, type PuppetDb } from '../../src/services/puppetdb/index.ts';

function open(): Promise<PuppetDb> {
  return openPuppetDb({
    location: { kind: 'sqlite', path: ':memory:' },
    workerUrl: new URL('stuck-worker.ts', import.meta.url),
    log: silentLogger,
    now: () => new Date(),
    newId: () => '',
    queryThreads: 1,
    queryTimeoutMs: 600_000,
    lifetimes: {},
  });
}

test('a query ends when its client leaves', async () => {
  const puppetDb = await open();
  const client = new AbortController();
  const query = puppetDb.query('nodes[]{}', client.signal);

  client.abort();

  await expect(query).rejects.toThrow('it took too long');
  await puppetDb.close();
});

test('PuppetDB closes while a query is stuck', async () => {
  const puppetDb = await open();
  const query = puppetDb.query('nodes[]{}');
  const failure = expect(query).rejects.toThrow('PuppetDB is closed');

  await puppetDb.close();

  await failure;
});
