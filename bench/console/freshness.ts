/** From sending a report to the new count on the screen of an overview that is open. */

import { setTimeout as sleep } from 'node:timers/promises';
import { settled } from '../../console/test/support/browser.ts';
import { quantile, spread } from '../figures.ts';
import { nameOf, reportOf } from '../puppetdb/many-nodes.ts';
import { type BenchWindow, valueWhenTrue } from './browser-window.ts';
import { budget } from './budgets.ts';
import type { ConsolePrimary } from './console-primary.ts';

const rounds = 20;
const mostMs = 2000;
const counter = `document.querySelector('main a[href="/nodes?q=status%3Afailed"] strong')?.textContent`;

/** @param window - a logged-in browser window */
export async function measureFreshness(
  { page }: BenchWindow,
  { installation, origin, puppetDbUrl }: ConsolePrimary,
): Promise<void> {
  await page.goto(origin);
  await settled(page);
  const client = installation.operator();
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      // Of nodes whose runs do not fail otherwise, so that the number becomes greater.
      const node = 1 + round * 2;
      const before = await valueWhenTrue<string>(page, counter);
      const certname = nameOf(node);
      const search = new URLSearchParams({ command: 'store_report', version: '8', certname });
      const report = { ...reportOf(node, new Date().toISOString(), 500 + round), status: 'failed' };
      const beganMs = performance.timeOrigin + performance.now();
      const shown = valueWhenTrue<number>(
        page,
        `${counter} !== ${JSON.stringify(before)} && performance.timeOrigin + performance.now()`,
      );
      const { status } = await client.send({
        method: 'POST',
        url: `${puppetDbUrl}/pdb/cmd/v1?${search}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(report),
      });
      if (status !== 200) throw new Error(`a report was answered with ${status}`);
      times.push((await shown) - beganMs);
      await sleep(200 + 150 * (round % 5));
    }
  } finally {
    client.close();
  }
  console.log(`report sent to count changed: ${spread(times)}`);
  budget({
    what: 'report sent to count changed, p95',
    value: quantile(times, 0.95),
    most: mostMs,
    unit: 'ms',
  });
}
