/** Checks that requests and bytes of a page do not grow with the fleet: opens each page with few nodes and with many. */

import { type Browser, settled } from '../../console/test/support/browser.ts';
import { openWindow } from './browser-window.ts';
import { budget } from './budgets.ts';

const pages = [
  '/',
  '/nodes',
  '/events',
  '/reports',
  '/facts',
  '/facts?path=os.name',
  '/packages',
  '/groups',
  '/live',
];
const mostDifference = 20;
/** Answers that come a little later than the page has settled. */
const quietMs = 1500;

export interface PageTransfer {
  readonly requests: number;
  readonly bytes: number;
}

/** @returns by page: requests of APIs, and the bytes of their answers before compression */
export async function transfersOf(
  browser: Browser,
  origin: string,
): Promise<ReadonlyMap<string, PageTransfer>> {
  const { context, page } = await openWindow(browser, origin);
  const found = new Map<string, PageTransfer>();
  for (const address of pages) {
    const answers: Promise<number>[] = [];
    const count = (response: Awaited<ReturnType<typeof page.waitForResponse>>) => {
      const { pathname } = new URL(response.url());
      if (!/^\/(console-api|pdb|classifier-api|orchestrator)\//.test(pathname)) return;
      if (pathname.startsWith('/console-api/v1/events') && response.request().method() === 'GET') return;
      answers.push(
        response.body().then(
          ({ length }) => length,
          () => 0,
        ),
      );
    };
    page.on('response', count);
    await page.goto(origin + address);
    await settled(page);
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    page.off('response', count);
    const sizes = await Promise.all(answers);
    found.set(address, { requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
  }
  await context.close();
  return found;
}

/** @param few @param many - transfers of the same pages with few and with many nodes */
export function compareTransfers(
  few: ReadonlyMap<string, PageTransfer>,
  many: ReadonlyMap<string, PageTransfer>,
): void {
  for (const [address, with500] of few) {
    const withMany = many.get(address);
    if (withMany === undefined) continue;
    console.log(
      `${address}: ${with500.requests} requests, ${with500.bytes} bytes; ${withMany.requests} requests, ${withMany.bytes} bytes`,
    );
    const more = (withMany.bytes / Math.max(1, with500.bytes) - 1) * 100;
    budget({
      what: `${address}, bytes with many nodes beside few, more by`,
      value: more,
      most: mostDifference,
      unit: '%',
    });
    budget({
      what: `${address}, more requests`,
      value: withMany.requests - with500.requests,
      most: 0,
      unit: '',
    });
  }
}
