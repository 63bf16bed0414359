/** The main thread's end of a thread that holds an SQLite connection. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../lib/service-error.ts';
import { RequestThread } from '../threads/index.ts';
import { failureAsError } from './sqlite-failure.ts';
import type { SqliteReply, SqliteRequest, SqliteWorkerData } from './sqlite-protocol.ts';

export class SqliteThread {
  private readonly thread: RequestThread<SqliteRequest>;

  constructor(workerUrl: URL, workerData: SqliteWorkerData) {
    this.thread = new RequestThread({
      start: () => new Worker(workerUrl, { workerData }),
      lost: (cause) =>
        unavailable(
          cause === undefined ? 'the database thread ended' : `the database thread died: ${cause.message}`,
          cause,
        ),
      closed: () => unavailable('the database is closed'),
    });
  }

  async ask(request: SqliteRequest): Promise<Exclude<SqliteReply, { readonly failure: unknown }>> {
    const reply = (await this.thread.ask(request)) as SqliteReply;
    if ('failure' in reply) throw failureAsError(reply.failure);
    return reply;
  }

  /** Lets everything that was asked before finish. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}

function unavailable(message: string, cause?: Error): ServiceError {
  return new ServiceError('unavailable', message, { cause });
}
