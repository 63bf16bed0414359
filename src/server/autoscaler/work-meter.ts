/** Measures the work of this server. */

import { performance } from 'node:perf_hooks';
import { WorkMeter } from '../../services/autoscaler/index.ts';
import type { WorkerPool } from '../../services/compiler/index.ts';
import type { Foundation } from '../foundation.ts';

export function openWorkMeter({ metrics }: Foundation, pool: WorkerPool): WorkMeter {
  const meter = new WorkMeter({
    nowMs: () => performance.now(),
    workers: pool.limit,
    meanCompileMs: () => pool.meanCompileMs,
    queued: () => pool.queued,
    eventLoop: watchEventLoop(),
  });
  metrics.gauge(
    {
      name: 'bunraku_server_capacity_used_ratio',
      help: 'The share of the capacity of this server that its requests for catalogs use; above 1 when more arrive than it can serve.',
    },
    () => meter.used(),
  );
  metrics.gauge(
    { name: 'bunraku_server_backlog_seconds', help: 'Worker-seconds of requests that were put off or wait.' },
    () => meter.report().backlogSeconds,
  );
  return meter;
}

const samplePauseMs = 5000;
const windowMs = 60_000;

/** @returns the share of the last minute in which the main thread was busy, as seen when it is asked */
function watchEventLoop(): () => number {
  let samples = [{ atMs: performance.now(), seen: performance.eventLoopUtilization() }];
  return () => {
    const atMs = performance.now();
    const seen = performance.eventLoopUtilization();
    const [oldest = { atMs, seen }] = samples;
    if (atMs - (samples.at(-1)?.atMs ?? 0) >= samplePauseMs)
      // The newest one that is older than the window stays.
      samples = [
        ...samples.filter((_, index) => atMs - (samples[index + 1]?.atMs ?? atMs) < windowMs),
        { atMs, seen },
      ];
    return performance.eventLoopUtilization(seen, oldest.seen).utilization;
  };
}
