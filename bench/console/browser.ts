/**
 * `npm run bench -- console-browser [NODES] [MINUTES] [paint|filter|interactions|list|tabs|viewers ...]`: the console in Debian's
 * Chromium on a primary with 50,000 nodes, of which 2,000 have catalogs; tabs are open for ten minutes each by default.
 */

import { type Browser, openChromium } from '../../console/test/support/browser.ts';
import { type BenchWindow, openWindow } from './browser-window.ts';
import { type ConsolePrimary, withConsolePrimary } from './console-primary.ts';
import { measureFirstPaint } from './first-paint.ts';
import { measureFilter, measureInteractions } from './interactions.ts';
import { measureLongList } from './long-list.ts';
import { measureOpenTabs } from './open-tab.ts';
import { measureViewers } from './viewers.ts';

const usualNodes = 50_000;
const usualMinutes = 10;
const catalogs = 2000;

interface Measured {
  readonly browser: Browser;
  readonly window: BenchWindow;
  readonly primary: ConsolePrimary;
  readonly nodes: number;
  readonly minutes: number;
}

const parts: Readonly<Record<string, (measured: Measured) => Promise<void>>> = {
  paint: ({ browser, primary, window }) => measureFirstPaint(browser, window, primary.origin),
  filter: ({ nodes, primary, window }) => measureFilter(window, primary.origin, nodes),
  interactions: ({ nodes, primary, window }) => measureInteractions(window, primary.origin, nodes),
  list: ({ nodes, primary, window }) => measureLongList(window, primary.origin, nodes),
  viewers: ({ nodes, primary }) => measureViewers(primary, nodes),
  tabs: ({ minutes, nodes, primary, window }) => measureOpenTabs(window, primary, { minutes, nodes }),
};

/** @param words - of the command line */
export async function measureConsoleInBrowser(words: readonly string[]): Promise<void> {
  const [nodes = usualNodes, minutes = usualMinutes] = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const wanted = words.filter((word) => Object.hasOwn(parts, word));
  await withConsolePrimary({ nodes, catalogs: Math.min(catalogs, nodes) }, async (primary) => {
    const browser = await openChromium();
    try {
      const window = await openWindow(browser, primary.origin);
      for (const [name, measure] of Object.entries(parts))
        if (wanted.length === 0 || wanted.includes(name)) {
          console.log(`\n${name}`);
          await measure({ browser, window, primary, nodes, minutes });
        }
    } finally {
      await browser.close();
    }
  });
}
