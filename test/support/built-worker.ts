/** Files of worker threads that load the whole language, each of which takes a third of a second from its sources. */

import { basename } from 'node:path';

/** Says that `dist/` is made of the sources as they are now: `npm test` has just built it. */
const isBuilt = process.env['TESTS_ARE_BUILT'] === 'yes';

/** The bundle of a thread, in which it starts in a third of the time; its source where that may not be what is built. */
export function builtWorker(source: URL): URL {
  return isBuilt ? new URL(`../../dist/${basename(source.pathname, '.ts')}.js`, import.meta.url) : source;
}
