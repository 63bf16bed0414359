/** From the address to the counts of the overview on the screen. */

import { join } from 'node:path';
import type { Browser } from '../../console/test/support/browser.ts';
import { consoleSizes } from '../../console/test/support/sizes.ts';
import { quantile, spread } from '../figures.ts';
import { type BenchWindow, openWindow, slowDown, slowdown, valueWhenTrue } from './browser-window.ts';
import { budget } from './budgets.ts';

const rounds = 20;
const coldMs = { p50: 1500, p95: 2000 };
const warmMs = 800;
const scriptKb = 260;

/** @param window - a logged-in browser window */
export async function measureFirstPaint(
  browser: Browser,
  window: BenchWindow,
  origin: string,
): Promise<void> {
  const { firstScripts } = consoleSizes(join(import.meta.dirname, '..', '..', 'dist', 'console'));
  budget({
    what: 'scripts of the first page (gzip)',
    value: firstScripts / 1000,
    most: scriptKb,
    unit: 'kB',
  });
  const cookies = await window.context.cookies();
  const cold: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const fresh = await openWindow(browser, origin, cookies);
    await slowDown(fresh, slowdown);
    cold.push(await timeOfCounts(fresh, origin));
    await fresh.context.close();
  }
  console.log(`counts of the overview, cold cache, processor ${slowdown} times slower: ${spread(cold)}`);
  const what = 'counts of the overview on the screen';
  budget({ what: `${what}, cold cache, p50`, value: quantile(cold, 0.5), most: coldMs.p50, unit: 'ms' });
  budget({ what: `${what}, cold cache, p95`, value: quantile(cold, 0.95), most: coldMs.p95, unit: 'ms' });
  await slowDown(window, slowdown);
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) warm.push(await timeOfCounts(window, origin));
  await slowDown(window, 1);
  console.log(`the same, warm cache: ${spread(warm)}`);
  budget({ what: `${what}, warm cache, p50`, value: quantile(warm, 0.5), most: warmMs, unit: 'ms' });
}

async function timeOfCounts({ page }: BenchWindow, origin: string): Promise<number> {
  await page.goto(origin);
  return await valueWhenTrue<number>(page, 'globalThis.benchUsefulMs');
}
