/**
 * `npm run bench -- console [NODES] [MINUTES] [PART ...] [--postgresql]`: the budgets of the console, each beside what was measured, in
 * Debian's Chromium on a primary with 50,000 nodes, of which 2,000 have catalogs, while 30 nodes run each second. Tabs are open for ten
 * minutes each by default. The fleet is stored once and kept in `.cache/bench`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, openChromium } from '../../console/test/support/browser.ts';
import { Installation } from '../../demo/installation.ts';
import { type BenchWindow, openWindow } from './browser-window.ts';
import { printBudgets } from './budgets.ts';
import { type ConsolePrimary, installationIn, withConsolePrimary } from './console-primary.ts';
import { measureFirstPaint } from './first-paint.ts';
import { measureFreshness } from './freshness.ts';
import { measureFilter, measureInteractions } from './interactions.ts';
import { measureLongList } from './long-list.ts';
import { measureOpenTabs } from './open-tab.ts';
import { sendReports } from './report-load.ts';
import { compareTransfers, transfersOf } from './same-for-all.ts';
import { measureServerCost, measureServerTime } from './server-time.ts';
import { measureStart } from './start.ts';
import { measureViewers } from './viewers.ts';

const usualNodes = 50_000;
const usualMinutes = 10;
const mostCatalogs = 2000;
const fewNodes = 500;
const runsPerSecond = 30;
/** As `justNowMs` of `src/services/console/live/live-hub.ts`, and a little more. */
const justNowMs = 12_000;

interface Measured {
  readonly browser: Browser;
  readonly window: BenchWindow;
  readonly primary: ConsolePrimary;
  readonly nodes: number;
  readonly minutes: number;
}

type Parts = Readonly<Record<string, (measured: Measured) => Promise<void>>>;

/** Measured while 30 runs a second arrive. */
const partsUnderLoad: Parts = {
  server: ({ primary }) => measureServerTime(primary),
  fresh: ({ primary, window }) => measureFreshness(window, primary),
  filter: ({ nodes, primary, window }) => measureFilter(window, primary.origin, nodes),
  paint: ({ primary, window }) => measureFirstPaint(window, primary.origin),
  interactions: ({ nodes, primary, window }) => measureInteractions(window, primary.origin, nodes),
  list: ({ nodes, primary, window }) => measureLongList(window, primary.origin, nodes),
};

/** Measured with their own arrivals, or without any. */
const partsApart: Parts = {
  cost: ({ primary }) => measureServerCost(primary),
  same: ({ browser, primary }) => measureSameForAll(browser, primary),
  viewers: ({ nodes, primary }) => measureViewers(primary, nodes),
  tabs: ({ minutes, nodes, primary, window }) => measureOpenTabs(window, primary, { minutes, nodes }),
};

/** @param words - of the command line */
export async function measureConsole(words: readonly string[]): Promise<void> {
  const [nodes = usualNodes, minutes = usualMinutes] = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const known = [...Object.keys(partsUnderLoad), ...Object.keys(partsApart), 'start'];
  const named = words.filter((word) => !/^\d+$|^--/.test(word));
  const unknown = named.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${known.join(', ')}`);
  const isWanted = (part: string) => named.length === 0 || named.includes(part);
  const isOnPostgres = words.includes('--postgresql');
  if (isWanted('start')) await measureStarts();
  if (known.some((part) => part !== 'start' && isWanted(part)))
    await withConsolePrimary(
      { nodes, catalogs: Math.min(mostCatalogs, nodes), isOnPostgres },
      async (primary) => await measureParts(primary, { nodes, minutes }, isWanted),
    );
  printBudgets();
}

async function measureParts(
  primary: ConsolePrimary,
  size: Pick<Measured, 'minutes' | 'nodes'>,
  isWanted: (part: string) => boolean,
): Promise<void> {
  const browser = await openChromium();
  try {
    const window = await openWindow(browser, primary.origin);
    const measured = { ...size, browser, window, primary };
    const run = async (parts: Parts) => {
      for (const [name, measure] of Object.entries(parts)) {
        if (!isWanted(name)) continue;
        console.log(`\n${name}`);
        await measure(measured);
      }
    };
    if (Object.keys(partsUnderLoad).some(isWanted)) {
      const pace = { nodes: size.nodes, perSecond: runsPerSecond, hasFacts: true };
      const load = sendReports(primary, pace);
      try {
        await run(partsUnderLoad);
      } finally {
        await load.stop();
      }
    }
    await run(partsApart);
  } finally {
    await browser.close();
  }
}

/** A second primary, with few nodes, for the same pages. */
async function measureSameForAll(browser: Browser, primary: ConsolePrimary): Promise<void> {
  // A page that is opened is told of changes that are hardly over, and asks again.
  await sleep(justNowMs);
  const many = await transfersOf(browser, primary.origin);
  const { isOnPostgres } = primary;
  await withConsolePrimary({ nodes: fewNodes, catalogs: fewNodes, isOnPostgres }, async ({ origin }) => {
    compareTransfers(await transfersOf(browser, origin), many);
  });
}

async function measureStarts(): Promise<void> {
  console.log('\nstart');
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-bench-console-start-'));
  try {
    const installation = await installationIn(directory, {});
    await installation.startPrimary();
    await installation.stop();
    const { options } = installation;
    const without = new Installation({ ...options, settings: { ...options.settings, console_port: 0 } });
    await measureStart((isWithConsole) => (isWithConsole ? installation : without));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
