/** Stands in for a thread of PuppetDB's in which every query takes forever. */

import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOptions } from '../../src/services/puppetdb/threads/protocol.ts';

const { role } = workerData as WorkerOptions;

parentPort?.on('message', ({ id }: { readonly id: number }) => {
  if (role === 'query') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  parentPort?.postMessage({ kind: 'done', id, value: 0 });
});
