/** How long people wait for the next frame after a key or a click, and for rows after they have typed. */

import { type Page, settled } from '../../console/test/support/browser.ts';
import { quantile, spread } from '../figures.ts';
import { nameOf } from '../puppetdb/many-nodes.ts';
import { type BenchWindow, slowDown, slowdown, valueWhenTrue } from './browser-window.ts';
import { budget } from './budgets.ts';

const rounds = 5;
const p95Ms = 100;
const longestMs = 250;
const shownLongest = 12;
const filterRounds = 20;
const filterMs = 300;
const keyDelayMs = 60;

interface Interaction {
  readonly duration: number;
  readonly name: string;
  /** Text of what was pressed. */
  readonly what: string;
  /** The address, when the frame was there. */
  readonly path: string;
  /** Until the handlers began. */
  readonly waitedMs: number;
  /** In the handlers; what is left of the duration is rendering. */
  readonly handledMs: number;
}

/** One way through the pages that are used most. */
async function workThrough(page: Page, node: number): Promise<void> {
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  await link('Nodes');
  await settled(page);
  await page.keyboard.press('/');
  await page.keyboard.type(nameOf(node), { delay: keyDelayMs });
  await page.getByRole('link', { name: nameOf(node) }).click();
  await settled(page);
  for (const name of ['Facts', 'Catalog', 'Groups', 'Reports']) {
    await tab(name);
    await settled(page);
  }
  await link('Events');
  await settled(page);
  await link('Facts');
  await settled(page);
  await link('Classification');
  await settled(page);
  await page.getByRole('link', { name: 'PE Master', exact: true }).click();
  await settled(page);
  await tab('Matching nodes');
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('activ', { delay: keyDelayMs });
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  await settled(page);
  await link('Overview');
  await settled(page);
}

export async function measureInteractions(window: BenchWindow, origin: string, nodes: number): Promise<void> {
  const { page } = window;
  await page.goto(origin);
  await settled(page);
  await page.evaluate('globalThis.benchInteractions.clear()');
  await slowDown(window, slowdown);
  for (let round = 0; round < rounds; round++) await workThrough(page, (round * 25 * 3) % nodes);
  await slowDown(window, 1);
  const found = await page.evaluate<readonly Interaction[]>(
    'Array.from(globalThis.benchInteractions.values())',
  );
  const all = await page.evaluate<number>('performance.interactionCount ?? 0');
  // Those below 16 ms are not listed by the browser, only counted.
  const durations = [
    ...found.map(({ duration }) => duration),
    ...Array(Math.max(0, all - found.length)).fill(8),
  ];
  console.log(
    `${durations.length} interactions to the next frame, processor ${slowdown} times slower: ${spread(durations)}`,
  );
  for (const each of found.toSorted((a, b) => b.duration - a.duration).slice(0, shownLongest))
    console.log(
      `  ${each.duration} ms (waited ${each.waitedMs.toFixed(0)}, handlers ${each.handledMs.toFixed(0)}): ${each.name} on "${each.what}", ${each.path}`,
    );
  const what = 'interaction to the next frame';
  budget({ what: `${what}, p95`, value: quantile(durations, 0.95), most: p95Ms, unit: 'ms' });
  budget({ what: `${what}, longest`, value: quantile(durations, 1), most: longestMs, unit: 'ms' });
}

/** From the last key to the row that was searched for, with the pause that waits for more keys. */
export async function measureFilter({ page }: BenchWindow, origin: string, nodes: number): Promise<void> {
  await page.goto(`${origin}/nodes`);
  await settled(page);
  await page.evaluate(
    `document.addEventListener('input', () => { globalThis.benchTypedMs = performance.now(); }, true)`,
  );
  const times: number[] = [];
  for (let round = 0; round < filterRounds; round++) {
    const name = nameOf((round * 97) % nodes);
    const box = page.getByRole('searchbox');
    await box.fill('');
    await box.pressSequentially(name, { delay: 20 });
    times.push(
      await valueWhenTrue<number>(
        page,
        `document.querySelector('main [role=cell] a')?.textContent === ${JSON.stringify(name)} && performance.now() - globalThis.benchTypedMs`,
      ),
    );
  }
  console.log(`filter typed to rows: ${spread(times)}`);
  budget({ what: 'filter typed to rows, p95', value: quantile(times, 0.95), most: filterMs, unit: 'ms' });
}
