/** Tabs that stay open: what they keep in memory while reports arrive and a job of many nodes runs. */

import { setTimeout as sleep } from 'node:timers/promises';
import { settled } from '../../console/test/support/browser.ts';
import { nameOf } from '../puppetdb/many-nodes.ts';
import { type BenchWindow, heapMiB } from './browser-window.ts';
import { budget } from './budgets.ts';
import type { ConsolePrimary } from './console-primary.ts';
import { sendReports } from './report-load.ts';

const mostMiB = 60;
const mostGrowthPercent = 10;
/** An hour of them at 30 a second, in ten minutes; pages are told at most once a second all the same. */
const reportsPerSecond = 180;
const jobNodes = 5000;

/** @param minutes - of ten that stand for an hour */
export async function measureOpenTabs(
  window: BenchWindow,
  primary: ConsolePrimary,
  { minutes, nodes }: { readonly minutes: number; readonly nodes: number },
): Promise<void> {
  const { origin } = primary;
  const load = sendReports(primary, {
    nodes,
    perSecond: reportsPerSecond,
    hasFacts: false,
  });
  try {
    for (const address of ['/', '/nodes', `/jobs/${await startJob(primary, nodes)}`]) {
      await window.page.goto(origin + address);
      await settled(window.page);
      const heaps: number[] = [await heapMiB(window)];
      for (let minute = 0; minute < minutes; minute++) {
        await sleep(60_000);
        heaps.push(await heapMiB(window));
      }
      const [first = 0, second = first] = heaps;
      const last = heaps.at(-1) ?? 0;
      console.log(
        `${address} open for ${minutes} min: ${heaps.map((each) => each.toFixed(1)).join(', ')} MiB`,
      );
      budget({
        what: `${address} open for an hour of events: heap`,
        value: Math.max(...heaps),
        most: mostMiB,
        unit: 'MiB',
      });
      budget({
        what: `${address} open for an hour of events: growth after the first minute`,
        value: (last / second - 1) * 100,
        most: mostGrowthPercent,
        unit: '%',
      });
    }
    console.log(`${(await load.take()).length} reports arrived meanwhile`);
  } finally {
    await load.stop();
  }
}

/** Puppet on nodes of which none is connected, as in a fleet whose brokers have just lost it. */
async function startJob({ installation, jobsUrl }: ConsolePrimary, nodes: number): Promise<string> {
  const client = installation.operator();
  try {
    const names = Array.from({ length: Math.min(jobNodes, nodes) }, (_, node) => nameOf(node));
    const { body, status } = await client.send({
      method: 'POST',
      url: `${jobsUrl}/orchestrator/v1/command/deploy`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ environment: 'production', scope: { nodes: names } }),
    });
    if (status >= 300) throw new Error(`the job was refused: ${body.toString('utf8')}`);
    const { job } = JSON.parse(body.toString('utf8')) as { readonly job: { readonly name: string } };
    return job.name;
  } finally {
    client.close();
  }
}
