/** What people look up of nodes: from the overview and the list of nodes to a run, facts, a resource. */

import { expect, test } from 'vitest';
import { logIn, settled } from './support/browser.ts';
import { fleet, hostileFact, origin, password } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';

export function nodeScenarios(window: ConsoleWindow): void {
  overviewScenarios(window);
  listScenarios(window);
  pageScenarios(window);
}

function overviewScenarios({ open, page, rows }: ConsoleWindow): void {
  test('from the overview to the failure of a node', async () => {
    await open('/');
    await page()
      .getByRole('link', { name: /^Failed\s*2$/ })
      .click();
    await expect.poll(() => rows().count(), patience).toBe(2);
    await page().getByRole('link', { name: 'db01.e2e.test' }).click();
    await page().getByRole('heading', { name: 'db01.e2e.test' }).waitFor();
    await page().getByText('No space left on device').waitFor();
    await page().getByRole('tab', { name: 'Reports' }).click();
    await expect.poll(() => rows().count(), patience).toBe(fleet['db01.e2e.test']?.length);
    await page().getByRole('link', { name: 'Failed' }).click();
    await page().getByRole('heading', { name: 'Run of db01.e2e.test' }).waitFor();
    await page().getByText('No space left on device').waitFor();
    await page().getByRole('tab', { name: 'Log' }).click();
    await page().getByLabel('Level').selectOption('Errors');
    await page().getByText('1 of 4 lines').waitFor();
    await page().getByRole('link', { name: 'Previous run' }).click();
    await page().getByText('The run found every resource as it should be').waitFor();
  });
}

function listScenarios({ newVisitor, open, page, rows, visitor }: ConsoleWindow): void {
  test('an address shows the same to somebody else', async () => {
    await open('/nodes');
    await page().getByRole('searchbox').fill('status:failed fact.os.name=Debian');
    await expect.poll(() => page().url(), patience).toContain('fact.os.name');
    await settled(page());
    const names = await rows().allTextContents();
    expect(names.length).toBe(1);

    const other = await newVisitor();
    await other.page.goto(page().url());
    await logIn(other.page, 'admin', password);
    await other.page.waitForURL(page().url());
    await settled(other.page);

    const seen = await other.page
      .getByRole('row')
      .filter({ has: other.page.getByRole('cell') })
      .allTextContents();
    expect(seen).toEqual(names);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test('a filter that says nothing names its mistake, and each term can be removed', async () => {
    await open('/nodes?q=colour:red web');
    await page().getByText('colour: is not a known filter').waitFor();
    visitor().complaints.splice(0); // the answer was 400
    await page().getByRole('button', { name: 'Remove colour:red' }).click();
    await expect.poll(() => page().url(), patience).toBe(`${origin}/nodes?q=web`);
    await expect.poll(() => rows().count(), patience).toBe(4);
  });
}

function pageScenarios({ open, page, rows }: ConsoleWindow): void {
  test('facts, catalog and groups of a node', async () => {
    await open('/nodes/web01.e2e.test');
    await page().getByRole('tab', { name: 'Facts' }).click();
    await page().getByLabel('Search facts').fill('os.name');
    await page().getByRole('link', { name: 'Find nodes with this value of os.name' }).click();
    await page().waitForURL(/\/nodes\?q=fact\.os\.name/);
    await page().goBack();
    await page().getByRole('tab', { name: 'Catalog' }).click();
    await page().getByLabel('Search resources').fill('sitemap');
    await page()
      .getByRole('link', { name: /^File\[.*sitemap\.txt\]$/ })
      .click();
    await page().getByRole('heading', { name: 'Comes after' }).waitFor();
    await page().getByRole('tab', { name: 'Groups' }).click();
    await page().getByRole('region', { name: 'Matching groups' }).getByText('PE Agent').waitFor();
  });

  test('what nodes say is text', async () => {
    await open('/nodes/db01.e2e.test?tab=facts&find=hostile');
    await page().getByText(hostileFact).waitFor();
    expect(await page().locator('main img').count()).toBe(0);
  });

  test('by keyboard alone: to the nodes, filter, open one', async () => {
    await open('/');
    await page().keyboard.press('g');
    await page().keyboard.press('n');
    await page().waitForURL(`${origin}/nodes`);
    await page().getByRole('row').nth(1).waitFor();
    await page().keyboard.press('/');
    await page().keyboard.type('web02');
    await expect.poll(() => rows().count(), patience).toBe(1);
    await page().keyboard.press('Tab');
    await page().getByRole('link', { name: 'web02.e2e.test' }).focus();
    await page().keyboard.press('Enter');
    await page().getByRole('heading', { name: 'web02.e2e.test' }).waitFor();
  });
}
