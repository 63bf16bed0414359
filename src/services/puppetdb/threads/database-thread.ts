/** Starts threads that work with PuppetDB's database. */

import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../lib/service-error.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { DatabaseLocation } from '../../../platform/storage/index.ts';
import { RequestThread } from '../../../platform/threads/index.ts';
import type { LogNotice, ReadRequest, WorkerOptions, WriteRequest } from './protocol.ts';

export interface DatabaseThreadOptions {
  readonly location: DatabaseLocation;
  /** The file of `puppetdb-worker.ts`, built or not. */
  readonly workerUrl: URL;
  readonly log: Logger;
}

/** Three spaces of 2 MB: with the engine's next size each thread is 6 MB larger, and none faster beyond doubt. */
const maxYoungGenerationSizeMb = 6;

export function writingThread(options: DatabaseThreadOptions): RequestThread<WriteRequest> {
  return databaseThread('ingest', options);
}

export function readingThread(options: DatabaseThreadOptions): RequestThread<ReadRequest> {
  return databaseThread('query', options);
}

function databaseThread<Request>(
  role: WorkerOptions['role'],
  { location, log, workerUrl }: DatabaseThreadOptions,
): RequestThread<Request> {
  const workerData: WorkerOptions = { role, location };
  return new RequestThread<Request>({
    start: () => new Worker(workerUrl, { workerData, resourceLimits: { maxYoungGenerationSizeMb } }),
    lost(cause) {
      const why = cause === undefined ? '' : `: ${cause.message}`;
      return unavailable(`the thread of PuppetDB's database ended${why}`, cause);
    },
    closed: () => unavailable('PuppetDB is closed'),
    onNotice(notice) {
      const { fields, level, message } = notice as LogNotice;
      log[level](fields, message);
    },
  });
}

function unavailable(message: string, cause?: Error): ServiceError {
  return new ServiceError('unavailable', message, { cause });
}
