/** A PuppetDB of ours in a process of its own: `node server-process.ts LOCATION-AS-JSON`; prints its port. */

import { randomUUID } from 'node:crypto';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import type { DatabaseLocation } from '../../src/platform/storage/index.ts';
import { openPuppetDb, puppetDbRoutes } from '../../src/services/puppetdb/index.ts';

const anyone = { kind: 'anyone' } as const;

const location: DatabaseLocation = JSON.parse(process.argv[2] ?? '{}');
const source = '../../src/services/puppetdb/threads/puppetdb-worker.ts';
/** `bench/puppetdb.ts` bundles it, as the product is. */
const isBundle = import.meta.url.endsWith('.mjs');
const now = (): Date => new Date();
const puppetDb = await openPuppetDb({
  location,
  workerUrl: new URL(isBundle ? './puppetdb-worker.mjs' : source, import.meta.url),
  log: silentLogger,
  now,
  newId: randomUUID,
  queryThreads: location.kind === 'sqlite' ? 2 : 1,
  queryTimeoutMs: 60_000,
  lifetimes: {},
});
const http = createHttpServer({
  routes: puppetDbRoutes({ puppetDb, allow: anyone, allowAdmin: anyone, now }),
  authorization: { rules: [], allowHeaderCertInfo: false },
  log: silentLogger,
});
console.log(await http.listen(0, '127.0.0.1'));
process.on('SIGTERM', () => {
  void http
    .drain(1000)
    .then(() => puppetDb.close())
    .then(() => process.exit(0));
});
