/** How much more than they need the heaps of a server's threads may take. */

import { setFlagsFromString } from 'node:v8';

/**
 * To be called before threads are started.
 *
 * Left to itself the engine lets a heap grow to four times what is in use before it collects everything: the more quickly a
 * thread fills it, the further. A compile worker with 45 MiB in use took 150 to 280 MiB so, and takes 100 to 120 with 1.7
 * times the memory in use. It collects garbage more often for that, which costs little (docs/performance.md).
 */
export function boundHeaps(): void {
  setFlagsFromString('--heap-growing-percent=70');
  // What the starter sets for the main thread: the others say themselves how much room they have for what is new.
  setFlagsFromString('--max-semi-space-size=0');
}
