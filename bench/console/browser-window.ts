/** A window of Debian's Chromium on the console, as slow as a small laptop when asked. */

import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  logIn,
  type Page,
} from '../../console/test/support/browser.ts';
import { password } from './console-primary.ts';

export interface BenchWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
}

/** The processor is as many times slower as the budgets say. */
export const slowdown = 4;
const patienceMs = 120_000;

/** Runs in each page before its own scripts. */
const observers = `
  globalThis.benchInteractions = new Map();
  new PerformanceObserver((list) => {
    for (const { duration, interactionId, name, processingEnd, processingStart, startTime, target } of list.getEntries()) {
      const known = globalThis.benchInteractions.get(interactionId);
      if (interactionId === 0 || known?.duration >= duration) continue;
      const what = (target?.ariaLabel ?? target?.textContent ?? '').trim().slice(0, 30);
      const path = location.pathname + location.search;
      const waitedMs = processingStart - startTime;
      const handledMs = processingEnd - processingStart;
      globalThis.benchInteractions.set(interactionId, { duration, name, what, path, waitedMs, handledMs });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

/** @param cookies - of somebody who is logged in; who logs in by the form when absent */
export async function openWindow(
  browser: Browser,
  origin: string,
  cookies: Awaited<ReturnType<BrowserContext['cookies']>> = [],
): Promise<BenchWindow> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(observers);
  await context.addCookies(cookies);
  const page = await context.newPage();
  if (cookies.length === 0) {
    await page.goto(origin);
    await logIn(page, 'admin', password);
    await page.waitForURL(`${origin}/`);
  }
  const session = await context.newCDPSession(page);
  return { context, page, session };
}

export async function slowDown({ session }: BenchWindow, rate: number): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** What scripts keep, without what is garbage, in MiB. */
export async function heapMiB({ session }: BenchWindow): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** Waits for an expression in the page, frame by frame, and returns its value as soon as it is true. */
export async function valueWhenTrue<T>(page: Page, expression: string): Promise<T> {
  return await page.evaluate<T>(`new Promise((resolve) => {
    const look = () => {
      const value = ${expression};
      if (value) resolve(value);
      else requestAnimationFrame(look);
    };
    look();
  })`);
}
