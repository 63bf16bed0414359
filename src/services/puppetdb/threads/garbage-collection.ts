/** Keeps the heap of a thread small. The engine itself would let a hundred megabytes of garbage gather first. */

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much more than after the last collection may be in use. With it commands cost what they cost without. */
const allowedBytes = 16 * 2 ** 20;
/** The same, of a thread that has nothing to do. */
const allowedIdleBytes = 6 * 2 ** 20;
const defaultIdleMs = 2000;

export class GarbageCollection {
  private readonly idle: NodeJS.Timeout;
  private readonly usedBytes: () => number;
  private collect: (() => void) | undefined;
  private leastBytes: number;

  /**
   * @param idleMs - how long after the last piece of work a thread is idle
   * @param collect - the engine's when absent
   * @param usedBytes - how much of the heap is in use; as the engine says when absent
   */
  constructor(idleMs = defaultIdleMs, collect?: () => void, usedBytes = usedBytesOfEngine) {
    this.collect = collect;
    this.usedBytes = usedBytes;
    this.leastBytes = usedBytes();
    // Nothing waits for it: a thread may end before.
    this.idle = setTimeout(() => this.collectBeyond(allowedIdleBytes), idleMs).unref();
  }

  /** Between two pieces of work: what the last one made is garbage now. */
  look(): void {
    this.collectBeyond(allowedBytes);
    this.idle.refresh();
  }

  private collectBeyond(bytes: number): void {
    if (this.usedBytes() < this.leastBytes + bytes) return;
    this.collect ??= collector();
    this.collect();
    this.leastBytes = this.usedBytes();
  }
}

function usedBytesOfEngine(): number {
  return getHeapStatistics().used_heap_size;
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
