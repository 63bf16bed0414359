/** How many catalog requests are let in. */

import { Admission, type Gate } from '../../platform/http/index.ts';
import type { WorkerPool } from '../../services/compiler/index.ts';
import type { Foundation } from '../foundation.ts';

/**
 * How long a catalog may have to wait for a worker: no agent minds, and no load balancer or agent loses its patience.
 * From here on agents are asked to come back.
 */
const maxWaitMs = 10_000;

/** Lets in as many catalog requests as will be answered soon. */
export function catalogGate({ metrics, settings }: Foundation, pool: WorkerPool): Gate {
  const admission = new Admission({
    places: pool.limit,
    serviceMs: () => pool.meanCompileMs,
    maxWaitMs,
    maxWaiting: settings.maxQueuedRequests,
    maxRetryAfterSeconds: settings.maxRetryDelaySeconds,
    message: 'The maximum number of queued catalog requests has been reached',
    nowMs: () => performance.now(),
    random: Math.random,
  });
  metrics.gauge(
    {
      name: 'bunraku_catalog_requests_put_off',
      help: 'Catalog requests that were asked to come back later.',
    },
    () => admission.requestsRefused,
  );
  return admission;
}
