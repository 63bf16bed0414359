/** What scenarios have in hand: a browser's window, logged in as an administrator, on a console with a fleet. */

import type { Browser, Locator, Page } from 'playwright-core';
import type { Site } from '../../../test/e2e/support/site.ts';
import { patienceMs, settled, type Visitor, visit } from './browser.ts';
import { origin } from './console-site.ts';

/** For what is polled: a limit for what hangs. */
export const patience = { timeout: patienceMs };

export interface ConsoleWindow {
  readonly site: () => Site;
  readonly visitor: () => Visitor;
  /** All that were ever there. */
  readonly visitors: readonly Visitor[];
  /** Somebody else, at another machine and not logged in; who asks closes their `context`. */
  readonly newVisitor: () => Promise<Visitor>;
  readonly page: () => Page;
  /** Waits until nothing loads any more. @param address - below the console's origin */
  readonly open: (address: string) => Promise<void>;
  /** Of the tables on the page, without their heads. */
  readonly rows: () => Locator;
  readonly tab: (name: string) => Promise<void>;
}

/** The browser and its first window are there when the scenarios run, not yet when they are declared. */
export interface Running {
  browser?: Browser;
  visitor?: Visitor;
}

export function consoleWindow(site: () => Site, running: Running): ConsoleWindow {
  const visitor = (): Visitor => {
    if (running.visitor === undefined) throw new Error('no window is open');
    return running.visitor;
  };
  const page = (): Page => visitor().page;
  const visitors: Visitor[] = [];
  return {
    site,
    visitor,
    visitors,
    page,
    newVisitor: async () => {
      if (running.browser === undefined) throw new Error('no browser runs');
      const opened = await visit(running.browser, origin);
      visitors.push(opened);
      return opened;
    },
    open: async (address) => {
      await page().goto(origin + address);
      await settled(page());
    },
    rows: () =>
      page()
        .getByRole('row')
        .filter({ has: page().getByRole('cell') }),
    tab: (name) => page().getByRole('tab', { name, exact: true }).click(),
  };
}
