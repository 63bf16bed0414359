/** The thread that holds an SQLite connection. Started by `sqlite-thread.ts`, one for reading, one for writing. */

import { parentPort, workerData } from 'node:worker_threads';
import { type Incoming, serveRequests } from '../threads/index.ts';
import { describeFailure, SqliteConnection } from './sqlite-connection.ts';
import type { BoundStatement, SqliteReply, SqliteRequest, SqliteWorkerData } from './sqlite-protocol.ts';

/** The most transactions that share one sync: bounds how long the first of them waits. */
const groupLimit = 200;

type Next = () => Incoming<SqliteRequest> | undefined;

if (parentPort !== null) serve(workerData as SqliteWorkerData);

function serve(options: SqliteWorkerData): void {
  const connection = new SqliteConnection(options);
  serveRequests<SqliteRequest>({
    take(first, next) {
      // Everything that arrived while the last group was synced is taken along.
      let incoming: Incoming<SqliteRequest> | undefined = first;
      while (incoming !== undefined) incoming = handle(connection, incoming, next);
    },
    close: () => connection.close(),
  });
}

/** @returns a request that was taken from the queue but not handled yet */
function handle(
  connection: SqliteConnection,
  incoming: Incoming<SqliteRequest>,
  next: Next,
): Incoming<SqliteRequest> | undefined {
  const { request } = incoming;
  if (request.kind === 'read') {
    incoming.reply(read(connection, request.statement));
    return next();
  }
  const group = [incoming];
  const statements = [request.statements];
  let other = next();
  while (other?.request.kind === 'write' && group.length < groupLimit) {
    group.push(other);
    statements.push(other.request.statements);
    other = next();
  }
  connection.writeGroup(statements).forEach((reply, index) => {
    group[index]?.reply(reply);
  });
  return other;
}

function read(connection: SqliteConnection, statement: BoundStatement): SqliteReply {
  try {
    return { rows: connection.read(statement) };
  } catch (error) {
    return { failure: describeFailure(error) };
  }
}
