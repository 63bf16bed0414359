/** Keeps the heap of a thread small. The engine itself would let a hundred megabytes of garbage gather first. */

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much more than after the last collection may be in use. With it commands cost what they cost without. */
const allowedBytes = 16 * 2 ** 20;

export class HeapWatch {
  #collect: (() => void) | undefined;
  #mostBytes = usedBytes() + allowedBytes;

  /** Between two pieces of work: what the last one made is garbage now. */
  look(): void {
    if (usedBytes() < this.#mostBytes) return;
    this.#collect ??= collector();
    this.#collect();
    this.#mostBytes = usedBytes() + allowedBytes;
  }
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
