/** The status of the process itself, where tools for Puppet Server look for that of its JVM. */

import { readdir, readFile } from 'node:fs/promises';
import type { StatusProvider } from './service-status.ts';

export interface ProcessStatusOptions {
  readonly version: string;
  readonly nowMs: () => number;
}

/** Registers `status-service`; details at `debug` only. */
export function processStatus(options: ProcessStatusOptions): StatusProvider {
  const startedMs = options.nowMs() - process.uptime() * 1000;
  const usage = cpuUsageMeter(options.nowMs);
  return {
    names: ['status-service'],
    version: options.version,
    read: async (level) => {
      if (level !== 'debug') return { state: 'running' };
      const metrics = await readMetrics(startedMs, usage, options.nowMs);
      return { state: 'running', status: { experimental: { 'jvm-metrics': metrics } } };
    },
  };
}

async function readMetrics(
  startedMs: number,
  usage: () => number,
  nowMs: () => number,
): Promise<Readonly<Record<string, unknown>>> {
  const { heapTotal, heapUsed, external, rss } = process.memoryUsage();
  const [descriptors, maximum, threads] = await Promise.all([openFiles(), maxOpenFiles(), threadCount()]);
  return {
    'cpu-usage': usage(),
    'up-time-ms': Math.round(nowMs() - startedMs),
    'gc-cpu-usage': 0,
    threading: { 'thread-count': threads, 'peak-thread-count': threads },
    'heap-memory': { committed: heapTotal, init: 0, max: -1, used: heapUsed },
    'gc-stats': {},
    'start-time-ms': Math.round(startedMs),
    'file-descriptors': { used: descriptors, max: maximum },
    'non-heap-memory': { committed: rss - heapTotal, init: 0, max: -1, used: external },
    'nio-buffer-pools': {},
    'memory-pools': {},
  };
}

/** Per cent of one core since it was last asked. */
function cpuUsageMeter(nowMs: () => number): () => number {
  let before = process.cpuUsage();
  let beforeMs = nowMs();
  return () => {
    const used = process.cpuUsage(before);
    const elapsedMs = Math.max(1, nowMs() - beforeMs);
    before = process.cpuUsage();
    beforeMs = nowMs();
    return Math.round((used.user + used.system) / elapsedMs) / 10;
  };
}

async function openFiles(): Promise<number> {
  return countEntries('/proc/self/fd');
}

async function threadCount(): Promise<number> {
  return countEntries('/proc/self/task');
}

/** @returns -1 where the system does not tell, as the JVM does */
async function countEntries(directory: string): Promise<number> {
  try {
    return (await readdir(directory)).length;
  } catch {
    // Not Linux.
    return -1;
  }
}

async function maxOpenFiles(): Promise<number> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? -1);
  } catch {
    // Not Linux.
    return -1;
  }
}
