/** What Java would say of its process, as far as it means something here. */

import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import type { Beans } from './beans.ts';

export function defineProcessBeans(beans: Beans, nowMs: () => number): void {
  const startedMs = nowMs() - process.uptime() * 1000;
  beans.define('java.lang:type=Memory', () => {
    const { heapTotal, heapUsed, external, rss } = process.memoryUsage();
    return {
      HeapMemoryUsage: { init: 0, committed: heapTotal, max: -1, used: heapUsed },
      NonHeapMemoryUsage: { init: 0, committed: rss - heapTotal, max: -1, used: external },
    };
  });
  beans.define('java.lang:type=Runtime', () => ({
    Uptime: Math.round(nowMs() - startedMs),
    StartTime: Math.round(startedMs),
    Name: `${process.pid}@bunraku`,
  }));
  beans.define('java.lang:type=OperatingSystem', () => {
    const { user, system } = process.cpuUsage();
    return {
      // In nanoseconds.
      ProcessCpuTime: (user + system) * 1000,
      SystemLoadAverage: loadavg()[0],
      AvailableProcessors: availableParallelism(),
      TotalPhysicalMemorySize: totalmem(),
      FreePhysicalMemorySize: freemem(),
    };
  });
}
