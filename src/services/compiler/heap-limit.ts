/** How much memory a compile may take, as the worker sees it. */

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the engine is told: who watches needs time, and its collector room, to notice. */
export function hardLimitMiB(maxHeapMiB: number): number {
  return 2 * maxHeapMiB + 256;
}

/** Who holds so much of it for good is ended: collecting again and again would take longer than to fail. */
const enough = 0.75;

/** The limit of the worker that this runs in. */
export class HeapLimit {
  private readonly maxBytes: number;
  private collect: (() => void) | undefined;

  /** @param hardMiB - the limit that the engine was told; absent: there is none */
  constructor(hardMiB: number | undefined) {
    this.maxBytes = hardMiB === undefined ? Infinity : ((hardMiB - 256) / 2) * 2 ** 20;
  }

  /** Whether more is in use than may be. What is garbage does not count: it is collected to know. */
  isExceeded(): boolean {
    if (usedBytes() <= this.maxBytes) return false;
    this.collectNow();
    return usedBytes() > enough * this.maxBytes;
  }

  /** After a compile has failed: what it has left must not be held against the next one. */
  relax(): void {
    if (usedBytes() > this.maxBytes / 2) this.collectNow();
  }

  private collectNow(): void {
    this.collect ??= collector();
    this.collect();
  }
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

/** Started by hand: the engine itself would wait until its own limit is near. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
