/** The thread that holds an SQLite connection. Started by `sqlite-thread.ts`, one for reading, one for writing. */

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { describeFailure, SqliteConnection } from './sqlite-connection.ts';
import type { SqliteReply, SqliteRequest, SqliteWorkerData } from './sqlite-protocol.ts';

/** The most transactions that share one sync: bounds how long the first of them waits. */
const groupLimit = 200;

if (parentPort !== null) serve(parentPort, workerData as SqliteWorkerData);

function serve(port: MessagePort, options: SqliteWorkerData): void {
  const connection = new SqliteConnection(options);
  port.on('message', (first: SqliteRequest) => {
    // Everything that arrived while the last group was synced is taken along.
    let request: SqliteRequest | undefined = first;
    while (request !== undefined) request = handle(port, connection, request);
  });
}

/** @returns a request that was taken from the queue but not handled yet */
function handle(
  port: MessagePort,
  connection: SqliteConnection,
  request: SqliteRequest,
): SqliteRequest | undefined {
  switch (request.kind) {
    case 'read':
      port.postMessage(read(connection, request));
      return nextRequest(port);
    case 'write': {
      const group = [request];
      let next = nextRequest(port);
      while (next?.kind === 'write' && group.length < groupLimit) {
        group.push(next);
        next = nextRequest(port);
      }
      for (const reply of connection.writeGroup(group)) port.postMessage(reply);
      return next;
    }
    case 'close':
      connection.close();
      port.postMessage({ id: request.id, closed: true } satisfies SqliteReply);
      port.close();
      return undefined;
  }
}

function nextRequest(port: MessagePort): SqliteRequest | undefined {
  return receiveMessageOnPort(port)?.message as SqliteRequest | undefined;
}

function read(connection: SqliteConnection, request: Extract<SqliteRequest, { kind: 'read' }>): SqliteReply {
  try {
    return { id: request.id, rows: connection.read(request.statement) };
  } catch (error) {
    return { id: request.id, failure: describeFailure(error) };
  }
}
