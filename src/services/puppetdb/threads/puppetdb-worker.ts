/** A thread that works with PuppetDB's database. Started by `database-thread.ts`. */

import { parentPort, workerData } from 'node:worker_threads';
import { type DirectDatabase, openDirectDatabase } from '../../../platform/storage/index.ts';
import { type Incoming, serveRequests } from '../../../platform/threads/index.ts';
import { GarbageCollection } from './garbage-collection.ts';
import type { ReadRequest, WorkerOptions, WriteRequest } from './protocol.ts';

type Handle = (request: ReadRequest | WriteRequest) => Promise<unknown>;

if (parentPort !== null) await serve(workerData as WorkerOptions);

async function serve({ location, role }: WorkerOptions): Promise<void> {
  const database = await openDirectDatabase(location, role === 'ingest' ? 'writer' : 'reader');
  const handle = await createHandler(role, database);
  const heap = new GarbageCollection();
  const take = (incoming: Incoming<ReadRequest | WriteRequest>): void => {
    void incoming.answer(handle(incoming.request)).then(() => heap.look());
  };
  serveRequests<ReadRequest | WriteRequest>({
    take(first, next) {
      take(first);
      // Everything that has arrived meanwhile joins the transaction that begins after this turn of the event loop.
      for (let other = next(); other !== undefined; other = next()) take(other);
    },
    close: () => database.close(),
  });
}

/** A thread loads what it needs itself: those that read know nothing of commands, nor the other way round. */
async function createHandler(role: WorkerOptions['role'], database: DirectDatabase): Promise<Handle> {
  if (role === 'ingest') {
    const { createIngestServer } = await import('./ingest-server.ts');
    return createIngestServer(database) as Handle;
  }
  const { createQueryServer } = await import('./query-server.ts');
  return createQueryServer(database) as Handle;
}
