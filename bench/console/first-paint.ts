/** From the address to the counts of the overview on the screen. */

import { join } from 'node:path';
import type { Browser } from '../../console/test/support/browser.ts';
import { consoleSizes } from '../../console/test/support/sizes.ts';
import { promise, quantile, spread } from '../figures.ts';
import { type BenchWindow, openWindow, slowDown, slowdown, valueWhenTrue } from './browser-window.ts';

const rounds = 20;
const coldMs = { p50: 1500, p95: 2000 };
const warmMs = 800;
const scriptBytes = 260_000;

/** @param window - of somebody who is logged in */
export async function measureFirstPaint(
  browser: Browser,
  window: BenchWindow,
  origin: string,
): Promise<void> {
  const { firstScripts } = consoleSizes(join(import.meta.dirname, '..', '..', 'dist', 'console'));
  console.log(`scripts of the first page: ${(firstScripts / 1000).toFixed(0)} kB (gzip)`);
  promise(`scripts of the first page are at most ${scriptBytes / 1000} kB`, firstScripts <= scriptBytes);
  const cookies = await window.context.cookies();
  const cold: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const fresh = await openWindow(browser, origin, cookies);
    await slowDown(fresh, slowdown);
    cold.push(await timeOfCounts(fresh, origin));
    await fresh.context.close();
  }
  console.log(`counts of the overview, cold cache, processor ${slowdown} times slower: ${spread(cold)}`);
  promise(`cold: p50 at most ${coldMs.p50} ms`, quantile(cold, 0.5) <= coldMs.p50);
  promise(`cold: p95 at most ${coldMs.p95} ms`, quantile(cold, 0.95) <= coldMs.p95);
  await slowDown(window, slowdown);
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) warm.push(await timeOfCounts(window, origin));
  await slowDown(window, 1);
  console.log(`the same, warm cache: ${spread(warm)}`);
  promise(`warm: p50 at most ${warmMs} ms`, quantile(warm, 0.5) <= warmMs);
}

async function timeOfCounts({ page }: BenchWindow, origin: string): Promise<number> {
  await page.goto(origin);
  return await valueWhenTrue<number>(page, 'globalThis.benchUsefulMs');
}
