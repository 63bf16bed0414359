/** A thread for one piece of work: it gets its data when it starts, answers once, and is ended. */

import { parentPort, Worker, workerData } from 'node:worker_threads';

export interface OneShotOptions {
  /** The thread's file, which calls `answerOnce`. */
  readonly workerUrl: URL;
  /** Copied to the thread. */
  readonly data: unknown;
  /** Shown in profiles and lists of threads. */
  readonly name?: string;
  /** Ends the thread. */
  readonly signal?: AbortSignal;
  /** Node's default when absent. */
  readonly stackSizeMb?: number;
  /** What is thrown when the thread ends without an answer. */
  readonly onEnded: () => Error;
}

/**
 * Starts the thread and waits for its answer.
 *
 * @throws what the thread threw, or the error of `onEnded`
 */
export async function runOnce<T>(options: OneShotOptions): Promise<T> {
  const { data, name = 'once', onEnded, signal, stackSizeMb, workerUrl } = options;
  signal?.throwIfAborted();
  const worker = new Worker(workerUrl, {
    name,
    workerData: data,
    ...(stackSizeMb === undefined ? {} : { resourceLimits: { stackSizeMb } }),
  });
  const onAbort = () => void worker.terminate();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<T>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(onEnded()));
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** In the thread: does the work and sends what it returns. Does nothing when the file was not started by `runOnce`. */
export function answerOnce<D, A>(work: (data: D) => A): void {
  parentPort?.postMessage(work(workerData as D));
}
