/** Requests for an environment that is being deployed wait until it is there. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../platform/http/index.ts';

/** Agents wait for ten minutes for an answer (`http_read_timeout`), load balancers for less. */
const patienceMs = 30_000;
const lookMs = 50;

/**
 * Agents are not told to come back later: from 6.14 on and before 7.26 and 8.2 they fail when they do what `Retry-After`
 * asks for (PUP-11853).
 *
 * @param isComing - whether an environment that is not served yet will be
 */
export function awaitingEnvironments(
  routes: readonly Route[],
  isComing: (environment: string) => boolean,
): readonly Route[] {
  return routes.map((route) => ({
    ...route,
    async handle(request) {
      const environment = request.query.get('environment');
      if (environment !== null && isComing(environment))
        await untilHere(() => isComing(environment), request.signal);
      return await route.handle(request);
    },
  }));
}

/** Resolves also when it takes too long, or when the caller no longer waits. */
async function untilHere(isComing: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (isComing() && performance.now() < deadline && !signal.aborted) await sleep(lookMs);
}
