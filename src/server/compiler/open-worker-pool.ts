/** Workers that compile, as the settings have them. */

import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type PuppetDbTerminus, WorkerPool } from '../../services/compiler/index.ts';
import { workerFile } from '../worker-files.ts';

export interface WorkerPoolWishes {
  readonly workers: number;
  readonly maxQueued: number;
  /** What code asks while it is compiled. */
  readonly puppetDb: PuppetDbTerminus | undefined;
  /** Told of each compile for a node, and how long a worker was busy with it. */
  readonly onCompiled?: (certname: string, durationMs: number) => void;
  readonly log: Logger;
}

export function openWorkerPool(
  settings: Settings,
  { log, maxQueued, onCompiled, puppetDb, workers }: WorkerPoolWishes,
): WorkerPool {
  return new WorkerPool({
    workers,
    workerUrl: workerFile('compile-worker'),
    timeoutMs: settings.compileTimeoutSeconds * 1000,
    maxQueued,
    maxHeapMiB: Math.ceil(settings.compileWorkerHeapBytes / 2 ** 20),
    ruby: settings.ruby,
    rubyTimeoutSeconds: settings.rubyTimeoutSeconds,
    rubyMemoryBytes: settings.rubyMemoryBytes,
    ...(puppetDb === undefined ? {} : { puppetDb }),
    ...(onCompiled === undefined ? {} : { onCompiled }),
    log,
  });
}
