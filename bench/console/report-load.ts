/** Reports that arrive while pages are open. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../../demo/installation.ts';
import { nameOf, reportOf } from '../puppetdb/many-nodes.ts';

export interface ReportLoad {
  /** From sending to being stored, in milliseconds, since the last call. */
  take(): readonly number[];
  stop(): Promise<void>;
}

/** Sends reports of nodes one after another, evenly. */
export function sendReports(installation: Installation, nodes: number, perSecond: number): ReportLoad {
  const client = installation.operator();
  const ending = new AbortController();
  let times: number[] = [];
  let sent = 0;
  const send = async () => {
    const node = (sent++ * 7919) % nodes;
    const certname = nameOf(node);
    const search = new URLSearchParams({ command: 'store_report', version: '8', certname });
    const report = reportOf(node, new Date().toISOString(), 1000 + sent);
    const startedMs = performance.now();
    const { status } = await client.send({
      method: 'POST',
      url: `${installation.primaryUrl}/pdb/cmd/v1?${search}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    if (status !== 200) throw new Error(`a report was answered with ${status}`);
    times.push(performance.now() - startedMs);
  };
  const run = async () => {
    const pending = new Set<Promise<void>>();
    const startedMs = performance.now();
    for (let next = 0; !ending.signal.aborted; next++) {
      const waitMs = startedMs + (next * 1000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const one: Promise<void> = send().finally(() => pending.delete(one));
      pending.add(one);
    }
    await Promise.all(pending);
  };
  const running = run();
  return {
    take() {
      const taken = times;
      times = [];
      return taken;
    },
    async stop() {
      ending.abort();
      await running;
      client.close();
    },
  };
}
