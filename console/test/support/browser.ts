/** Debian's Chromium on the console: everything that it complains of fails the test. */

import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';

export type { Browser, BrowserContext, CDPSession, Page };

export async function openChromium(): Promise<Browser> {
  // Its sandbox wants a user of its own, and its shared memory more room, than root in a container has.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  return await chromium.launch({ executablePath: '/usr/bin/chromium', args });
}

/** Why it does not start on this machine, as some containers do not let it; empty when it does. */
export async function chromiumProblem(): Promise<string> {
  try {
    await (await openChromium()).close();
    return '';
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? 'Chromium does not start';
  }
}

/** A window of a person, with what its pages complained of. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, refused by the policy, requests to other hosts. */
  readonly complaints: string[];
  /** All requests of its pages. */
  readonly requests: { readonly method: string; readonly url: string }[];
  /** Requests of its pages that were not refused, with the JSON that they sent and were answered. */
  readonly exchanges: Exchange[];
}

export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Undefined where the body was not JSON. */
  readonly sent: unknown;
  /** Undefined where the answer was not JSON, or the browser has let go of it. */
  readonly received: Promise<unknown>;
}

/** @param origin - of the console; requests that go anywhere else are complaints */
export async function visit(browser: Browser, origin: string): Promise<Visitor> {
  // The certificate is that of Puppet's authority, which browsers don't know.
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: wide, colorScheme: 'light' });
  // Limits for what hangs: pages answer within a second.
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // Without a session the first questions are refused; the log-in page is the answer.
    const isExpected = message.text().includes('401') && /\/(session|overview)$/.test(message.location().url);
    if (message.type() === 'error' && !isExpected) complaints.push(`console: ${message.text()}`);
  });
  const requests: { readonly method: string; readonly url: string }[] = [];
  page.on('request', (request) => {
    requests.push({ method: request.method(), url: request.url() });
    if (new URL(request.url()).origin !== origin) complaints.push(`request to ${request.url()}`);
  });
  const exchanges: Exchange[] = [];
  page.on('response', (response) => {
    if (response.ok()) exchanges.push(exchangeOf(response));
  });
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))`,
  );
  return { context, page, complaints, requests, exchanges };
}

function exchangeOf(response: Response): Exchange {
  const request = response.request();
  const body = isJson(request.headers()) ? request.postData() : null;
  return {
    method: request.method(),
    url: response.url(),
    sent: body === null ? undefined : JSON.parse(body),
    // The browser lets go of it when the page is left.
    received: isJson(response.headers())
      ? response.json().catch(() => undefined)
      : Promise.resolve(undefined),
  };
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return headers['content-type']?.startsWith('application/json') === true;
}

/** How long something may take to appear, on a machine that is busy with other things. */
export const patienceMs = 60_000;

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

/** The looks of a page: both themes, on a desk and on a phone; axe sees each theme and each layout. */
export const looks = [
  { name: 'light-wide', theme: 'light', size: wide, hasAxe: true },
  { name: 'dark-wide', theme: 'dark', size: wide, hasAxe: false },
  { name: 'light-narrow', theme: 'light', size: narrow, hasAxe: false },
  { name: 'dark-narrow', theme: 'dark', size: narrow, hasAxe: true },
] as const;

/** Fills in the log-in form and waits for the page behind it. */
export async function logIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Waits until the page has its title, and nothing on it is loading any more. */
export async function settled(page: Page): Promise<void> {
  // A page that is loading has `aria-busy` only from the next frame on.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await page.locator('main h1').first().waitFor();
  await page.locator('body:not(:has([aria-busy="true"]))').waitFor();
  await page.evaluate('document.fonts.ready');
}

/** What axe finds wrong on the page, one line for each element. */
export async function violations({ context, page }: Visitor): Promise<readonly string[]> {
  const session = await context.newCDPSession(page);
  try {
    // Not by way of the page, whose policy forbids foreign scripts; once for all looks of a page.
    const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
    if (known.value !== 'object') await session.send('Runtime.evaluate', { expression: axe.source });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (!Array.isArray(result.value)) throw new Error(`axe did not answer: ${result.description ?? ''}`);
    return result.value as readonly string[];
  } finally {
    await session.detach();
  }
}

/** Whether something is wider than the window. */
export async function overflows(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth + 1');
}
