/** A thread that works with PuppetDB's database. Started by `worker-thread.ts`. */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type DirectDatabase, openDirectDatabase } from '../../../platform/storage/index.ts';
import { encodeFailure } from './failure-message.ts';
import { GarbageCollection } from './garbage-collection.ts';
import type { WorkerOptions, WorkerReply, WorkerRequest } from './protocol.ts';

/** Handles requests; says what comes back. */
export interface WorkerServer {
  /** @returns the value of the `done` message; `undefined` when the server has replied itself or has nothing to say */
  handle(request: WorkerRequest): Promise<unknown> | undefined;
  close(): Promise<void>;
}

if (parentPort !== null) await serve(parentPort, workerData as WorkerOptions);

async function serve(port: NonNullable<typeof parentPort>, { role, location }: WorkerOptions): Promise<void> {
  const send = (reply: WorkerReply, transferred: readonly ArrayBuffer[] = []): void =>
    port.postMessage(reply, transferred);
  const database = await openDirectDatabase(location, role === 'ingest' ? 'writer' : 'reader');
  const server = await createServer(role, database, send);
  const heap = new GarbageCollection();
  const take = (request: WorkerRequest): void => {
    const work = request.kind === 'close' ? server.close().then(() => null) : server.handle(request);
    void work
      ?.then(
        (value) => {
          send({ kind: 'done', id: request.id, value });
          if (request.kind === 'close') port.close();
        },
        (error: unknown) => send({ kind: 'failure', id: request.id, failure: encodeFailure(error) }),
      )
      .then(() => heap.look());
  };
  port.on('message', (first: WorkerRequest) => {
    take(first);
    // Everything that has arrived meanwhile joins the transaction that begins after this turn of the event loop.
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as WorkerRequest);
    }
  });
}

type Send = (reply: WorkerReply, transferred?: readonly ArrayBuffer[]) => void;

/** A thread holds what it needs itself: those that read know nothing of commands, nor the other way round. */
async function createServer(
  role: WorkerOptions['role'],
  database: DirectDatabase,
  send: Send,
): Promise<WorkerServer> {
  if (role === 'ingest') {
    const { createIngestServer } = await import('./ingest-server.ts');
    return createIngestServer(database, send);
  }
  const { createQueryServer } = await import('./query-server.ts');
  return createQueryServer(database, send);
}
