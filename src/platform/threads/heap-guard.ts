/** Tells when a thread takes too much memory, before the engine ends the whole process. */

import type { Worker } from 'node:worker_threads';

const intervalMs = 100;

/**
 * The engine ends a thread that is out of memory, but the whole process where a single allocation (of a list that
 * doubles, say) goes far beyond the limit. So its limit is set higher, and this guard keeps ours.
 */
export class HeapGuard {
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;

  /** @param onExceeded - called once */
  constructor(worker: Worker, maxHeapMiB: number, onExceeded: () => void) {
    this.timer = setInterval(() => {
      worker.getHeapStatistics().then(
        ({ used_heap_size: usedBytes }) => {
          if (usedBytes <= maxHeapMiB * 2 ** 20 || this.isStopped) return;
          this.stop();
          onExceeded();
        },
        () => {
          // It has not begun yet, or has ended; that is noticed by others.
        },
      );
    }, intervalMs);
    this.timer.unref();
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }
}
