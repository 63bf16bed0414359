/** How many catalog requests are let in. */

import { ServiceError } from '../../lib/service-error.ts';
import { Admission, type Gate } from '../../platform/http/index.ts';
import type { WorkMeter } from '../../services/autoscaler/index.ts';
import type { WorkerPool } from '../../services/compiler/index.ts';
import type { Foundation } from '../foundation.ts';

/**
 * How long a catalog may have to wait for a worker: no agent minds, and no load balancer or agent loses its patience.
 * From here on agents are asked to come back.
 */
const maxWaitMs = 10_000;

/** Admits as many catalog requests as can be answered soon, and notes each in the meter. */
export function catalogGate(
  { metrics, settings }: Pick<Foundation, 'metrics' | 'settings'>,
  pool: Pick<WorkerPool, 'limit' | 'meanCompileMs'>,
  meter: WorkMeter,
): Gate {
  const admission = new Admission({
    places: pool.limit,
    serviceMs: () => pool.meanCompileMs,
    maxWaitMs,
    maxWaiting: settings.maxQueuedRequests,
    maxRetryAfterSeconds: settings.maxRetryDelaySeconds,
    hasWaitedLong: (path) => meter.hasWaitedLong(nodeIn(path)),
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
  return measuredGate(admission, meter);
}

function measuredGate(admission: Admission, meter: WorkMeter): Gate {
  return {
    enter(key) {
      const node = nodeIn(key);
      const leave = enterOrNote(admission, key, (retryMs) => meter.putOff(node, retryMs));
      meter.admit(node);
      return () => {
        meter.leave(node);
        leave();
      };
    },
  };
}

function enterOrNote(admission: Admission, key: string, note: (retryMs: number) => void): () => void {
  try {
    return admission.enter(key);
  } catch (error) {
    const seconds = error instanceof ServiceError ? error.details['retryAfterSeconds'] : undefined;
    if (typeof seconds === 'number') note(seconds * 1000);
    throw error;
  }
}

/** @param path - `/puppet/v3/catalog/agent.example.com`: certnames have no characters that would be encoded in it */
function nodeIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}
