/** How much of a request is read, and how long it may take: the server's limits, and what a route has of its own. */

import type { RequestParts } from './incoming-request.ts';
import type { HttpLimits } from './limits.ts';
import type { BodyLimits } from './request-body.ts';
import type { Identity, Route } from './route.ts';

export function limitsOf(route: Route, identity: Identity, limits: HttpLimits): RequestParts['limits'] {
  return { ...limits, ...timeLimits(route), ...bodyLimits(route, identity, limits) };
}

/** Clients without an identity send little, and nothing that grows when it is read. */
function bodyLimits(
  { allow, maxBodyBytes, takesCodedFromAnonymous = false }: Route,
  identity: Identity,
  limits: HttpLimits,
): Pick<BodyLimits, 'maxBodyBytes' | 'isCodingAllowed'> {
  const isAnonymous = identity.kind === 'anonymous';
  const usual =
    isAnonymous || allow.kind === 'anyone'
      ? Math.min(limits.maxAnonymousBodyBytes, limits.maxBodyBytes)
      : limits.maxBodyBytes;
  return {
    maxBodyBytes: maxBodyBytes ?? usual,
    isCodingAllowed: !isAnonymous || takesCodedFromAnonymous,
  };
}

function timeLimits({ timeoutMs }: Route): Partial<HttpLimits> {
  return timeoutMs === undefined ? {} : { requestTimeoutMs: timeoutMs, handlerTimeoutMs: timeoutMs };
}
