/** When servers of a pool were told to leave, when they ended, and when nothing knew them any more. */

import type { ServerPool } from './server-pool.ts';

export interface Departure {
  readonly certname: string;
  readonly toldMs: number;
  /** Its process. */
  readonly endedMs: number;
  /** The last trace. */
  readonly clearedMs: number;
}

interface Leaving {
  readonly toldMs: number;
  endedMs?: number;
}

export class DepartureWatch {
  readonly departures: Departure[] = [];
  private readonly pool: ServerPool;
  private readonly leaving = new Map<string, Leaving>();

  constructor(pool: ServerPool) {
    this.pool = pool;
  }

  /** Servers that were told to leave, and are still known somewhere. */
  get under(): readonly string[] {
    return [...this.leaving.keys()];
  }

  /** Notes what has become of servers. To be called several times a second. */
  async look(): Promise<void> {
    const { members } = await this.pool.status();
    for (const { certname, leaving } of members)
      if (leaving !== null && !this.leaving.has(certname))
        this.leaving.set(certname, { toldMs: performance.now() });
    if (this.leaving.size === 0) return;
    const running = this.pool.processes();
    for (const [certname, each] of this.leaving)
      if (!running.has(certname)) each.endedMs ??= performance.now();
    const ended = [...this.leaving].filter(([, { endedMs }]) => endedMs !== undefined);
    if (ended.length === 0) return;
    const traces = await this.pool.traces(ended.map(([certname]) => certname));
    for (const [certname, { endedMs = 0, toldMs }] of ended) {
      if (traces.some((trace) => trace.endsWith(` ${certname}`))) continue;
      this.leaving.delete(certname);
      this.departures.push({ certname, toldMs, endedMs, clearedMs: performance.now() });
    }
  }
}
