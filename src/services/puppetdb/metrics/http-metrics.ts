/** How long requests take and how they end, for each path of the API and those above it. */

import type { Beans } from './beans.ts';
import { Timer } from './histogram.ts';
import { Meter } from './meter.ts';

export class HttpMetrics {
  private readonly beans: Beans;
  private readonly nowMs: () => number;
  private readonly times = new Map<string, Timer>();
  private readonly statuses = new Map<string, Meter>();

  constructor(beans: Beans, nowMs: () => number) {
    this.beans = beans;
    this.nowMs = nowMs;
  }

  /** @param path - one of a few: `/pdb/query/v4/nodes`, without the query */
  observe(path: string, status: number, durationMs: number): void {
    const parts = path.split('/');
    for (let length = 2; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join('/');
      this.time(prefix).add(durationMs);
      this.status(`${prefix}.${status}`).mark();
    }
  }

  private time(name: string): Timer {
    const known = this.times.get(name);
    if (known !== undefined) return known;
    const timer = new Timer(this.nowMs);
    this.times.set(name, timer);
    this.beans.define(`puppetlabs.puppetdb.http:name=${name}.service-time`, () => timer.attributes());
    return timer;
  }

  private status(name: string): Meter {
    const known = this.statuses.get(name);
    if (known !== undefined) return known;
    const meter = new Meter(this.nowMs);
    this.statuses.set(name, meter);
    this.beans.define(`puppetlabs.puppetdb.http:name=${name}`, () => meter.attributes());
    return meter;
  }
}
