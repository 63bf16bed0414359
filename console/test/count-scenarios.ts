/** Every number is a link, and the list behind it has that many rows. */

import { expect, test } from 'vitest';
import { type Page, settled } from './support/browser.ts';
import type { ConsoleWindow } from './support/console-window.ts';

/** Pages with numbers, and how many links there have one at least. */
const pagesWithCounts: readonly (readonly [address: string, atLeast: number])[] = [
  ['/', 12],
  ['/events?by=resource&status=any&from=last-run', 4],
  ['/facts?path=os.name', 2],
  ['/packages', 2],
  ['/packages?package=openssl', 1],
  ['/packages?state=updates', 1],
  ['/groups', 8],
];

/** The most counts that are followed on a page (all of them on the overview); none is followed twice. */
const mostOfPage = 5;

interface Count {
  readonly href: string;
  readonly count: number;
}

export function countScenario({ open, page }: ConsoleWindow): void {
  test('each count leads to a list with that many rows', async () => {
    const wrong: string[] = [];
    for (const [address, atLeast] of pagesWithCounts) {
      await open(address);
      const counts = await enoughCounts(page(), atLeast);
      if (counts.length < atLeast) wrong.push(`${address} has ${counts.length} counts with a link`);
      for (const { count, href } of address === '/' ? counts : counts.slice(0, mostOfPage)) {
        await go(href);
        if (!(await leadsTo(count)))
          wrong.push(`${address}: ${count} leads to ${href} with ${(await countsOfList(page())).join(', ')}`);
      }
    }

    expect(wrong).toEqual([]);
  });

  /** Within the program that is loaded already, as a link goes. */
  async function go(address: string): Promise<void> {
    await page().evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
    await settled(page());
  }

  /** Twice in a row, so that it is not the list before. Counts and lists may be some seconds apart. */
  async function leadsTo(count: number): Promise<boolean> {
    let inRow = 0;
    for (let looks = 0; looks < 120 && inRow < 2; looks++) {
      inRow = (await countsOfList(page())).includes(count) ? inRow + 1 : 0;
      await page().waitForTimeout(50);
    }
    return inRow === 2;
  }
}

/** Waits: some counts load after their list. */
async function enoughCounts(page: Page, atLeast: number): Promise<readonly Count[]> {
  for (let looks = 0; looks < 120; looks++) {
    const counts = await countsOnPage(page);
    if (counts.length >= atLeast) return counts;
    await page.waitForTimeout(50);
  }
  return await countsOnPage(page);
}

async function countsOnPage(page: Page): Promise<readonly Count[]> {
  const links = await page.locator('main a[href], header a[href]').evaluateAll((elements) =>
    (
      elements as unknown as readonly {
        getAttribute(name: string): string | null;
        readonly textContent: string;
        querySelector(selector: string): { readonly textContent: string } | null;
      }[]
    ).map((element) => ({
      href: element.getAttribute('href') ?? '',
      text: element.querySelector('strong')?.textContent ?? element.textContent,
    })),
  );
  const found = links.flatMap(({ href, text }) => {
    const [, number] = /^([\d,]+)(?: (?!%)|$)/.exec(text.trim()) ?? [];
    return number === undefined ? [] : [[href, Number(number.replaceAll(',', ''))] as const];
  });
  return Array.from(new Map(found), ([href, count]) => ({ href, count }));
}

/** The number of rows and the numbers in the summary above the list, read in one step because the page may be changing. */
async function countsOfList(page: Page): Promise<readonly number[]> {
  const { rows, sentences } = await page.evaluate<{ readonly rows: string; readonly sentences: string }>(
    `({
      rows: document.querySelector('main [role=table]')?.getAttribute('aria-rowcount') ?? '1',
      sentences: Array.from(document.querySelectorAll('main [role=status]'), (each) => each.textContent).join(' '),
    })`,
  );
  const numbers = sentences.match(/\d[\d,]*/g) ?? [];
  return [Number(rows) - 1, ...numbers.map((number) => Number(number.replaceAll(',', '')))];
}
