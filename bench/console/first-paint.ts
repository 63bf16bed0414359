/** From the address to the counts of the overview on the screen. */

import { join } from 'node:path';
import { consoleSizes } from '../../console/test/support/sizes.ts';
import { quantile, spread } from '../figures.ts';
import { BareBrowser } from './bare-browser.ts';
import { type BenchWindow, slowdown } from './browser-window.ts';
import { budget } from './budgets.ts';

const rounds = 20;
const coldMs = { p50: 1500, p95: 2000 };
const warmMs = 800;
const scriptKb = 260;

/** @param window - a logged-in browser window */
export async function measureFirstPaint({ context }: BenchWindow, origin: string): Promise<void> {
  const { firstScripts } = consoleSizes(join(import.meta.dirname, '..', '..', 'dist', 'console'));
  budget({
    what: 'scripts of the first page (gzip)',
    value: firstScripts / 1000,
    most: scriptKb,
    unit: 'kB',
  });
  const cookies = await context.cookies();
  const browser = await BareBrowser.start(origin);
  try {
    const open = async (profile: string) =>
      Number(await browser.open(profile, { address: origin, script: timeOfCounts, slowdown }));
    const cold: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const profile = await browser.newProfile(origin, cookies);
      cold.push(await open(profile));
      await browser.closeProfile(profile);
    }
    console.log(`counts of the overview, cold cache, processor ${slowdown} times slower: ${spread(cold)}`);
    const what = 'counts of the overview on the screen';
    budget({ what: `${what}, cold cache, p50`, value: quantile(cold, 0.5), most: coldMs.p50, unit: 'ms' });
    budget({ what: `${what}, cold cache, p95`, value: quantile(cold, 0.95), most: coldMs.p95, unit: 'ms' });
    const profile = await browser.newProfile(origin, cookies);
    await open(profile);
    const warm: number[] = [];
    for (let round = 0; round < rounds; round++) warm.push(await open(profile));
    console.log(`the same, warm cache: ${spread(warm)}`);
    budget({ what: `${what}, warm cache, p50`, value: quantile(warm, 0.5), most: warmMs, unit: 'ms' });
  } finally {
    await browser.close();
  }
}

/** When a frame with the counts is on the screen, in milliseconds after the navigation began. */
const timeOfCounts = `
  globalThis.benchAnswer = new Promise((resolve) => {
    const look = new MutationObserver(() => {
      const links = Array.from(document.querySelectorAll('main a[href^="/nodes?q="]'));
      if (!links.some((link) => /[0-9]/.test(link.textContent))) return;
      look.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    });
    look.observe(document, { childList: true, subtree: true, characterData: true });
  });
`;
