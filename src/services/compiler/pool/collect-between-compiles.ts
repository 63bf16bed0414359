/** How the engine collects garbage where catalogs are compiled. */

import { setFlagsFromString } from 'node:v8';

/**
 * Tells the engine, for all threads of the process, that what a compile makes dies with it. Threads have to be started
 * after it.
 *
 * - The engine learns which places in the code make what lives long, and has them make it in the old generation at once.
 *   Resources live as long as their compile, which is long enough to be taken for that. Dead, they kept alive whatever
 *   else of their catalog they refer to: 1 MB of each catalog of 435 resources grew old and waited for the collection of
 *   everything, now 25 KB. Processor time of all threads for it, in turns: 21.0, 21.3 and 24.5 ms before, 17.0, 17.5 and
 *   16.3 ms now. For one of 2,128 resources it is the same; memory is a little less.
 * - What is new is collected between compiles, when there is nothing left of it, from a quarter of its space on instead of
 *   four fifths.
 */
export function collectBetweenCompiles(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--minor-gc-task-trigger=25');
}
