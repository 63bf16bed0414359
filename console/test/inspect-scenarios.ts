/** What people do to find out about the fleet: facts, queries, events, packages, comparisons. */

import { expect, test } from 'vitest';
import { violations } from './support/browser.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';

interface Steps extends ConsoleWindow {
  /** By the navigation. */
  readonly goTo: (name: string) => Promise<void>;
}

export function inspectScenarios(window: ConsoleWindow): void {
  const { page } = window;
  const goTo = async (name: string) => {
    await page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  };
  const steps: Steps = { ...window, goTo };
  leavingScenario(steps);
  factScenario(steps);
  queryScenario(steps);
  eventScenario(steps);
  packageScenario(steps);
  compareScenario(steps);
  paletteScenario(steps);
}

function leavingScenario({ goTo, open, page }: Steps): void {
  test('a filter typed just before following a link stays in the address of its page', async () => {
    await open('/nodes');
    await page().getByLabel('Filter of nodes').fill('web');
    await goTo('Query');
    await page().getByRole('heading', { name: 'Query', level: 1 }).waitFor();
    await page().goBack();
    await page().waitForURL(/\/nodes\?q=web$/);
    expect(await page().getByLabel('Filter of nodes').inputValue()).toBe('web');
  });
}

function factScenario({ goTo, page, rows }: Steps): void {
  test('from a fact to its values, and on to the nodes of one', async () => {
    await goTo('Facts');
    await page().getByLabel('Search facts').fill('os');
    await page().getByRole('link', { name: 'os', exact: true }).click();
    const names = page().getByRole('navigation', { name: 'Names of facts' });
    await names.getByRole('link', { name: 'name', exact: true }).click();
    await page().getByRole('heading', { name: 'Fact os.name' }).waitFor();
    await page().getByText('6 nodes').waitFor();
    const first = rows().first();
    const count = Number(await first.getByRole('cell').last().textContent());
    await first.getByRole('link').first().click();
    await page().waitForURL(/\/nodes\?q=fact\.os\.name/);
    await expect.poll(() => rows().count(), patience).toBe(count);
    await page().getByText('Facets', { exact: true }).click();
    const majors = page().getByRole('region', { name: 'os.release.major' });
    await majors.getByRole('button').first().click();
    await expect.poll(() => page().url(), patience).toContain('fact.os.release.major');
  });
}

function queryScenario({ goTo, open, page, rows, visitor }: Steps): void {
  test('D9, first steps: a query with completed words, its rows, and a mistake at its place', async () => {
    const { keyboard } = page();
    const take = (word: string) => page().getByRole('option', { name: word, exact: true }).click();
    await goTo('Query');
    await page().getByRole('textbox', { name: 'Query in PQL' }).click();
    await keyboard.type('inv');
    await take('inventory');
    await keyboard.insertText('[certname] { facts.');
    await keyboard.type('os.na');
    await take('name');
    await keyboard.insertText(' = "Debian" }');
    await keyboard.press('Control+Enter');
    await page()
      .getByText(/^\d rows? in/)
      .waitFor();
    await expect.poll(() => rows().count(), patience).toBeGreaterThan(0);
    const asked = new URL(page().url()).searchParams.get('pql');
    expect(asked).toBe('inventory[certname] { facts.os.name = "Debian" }');
    await page().getByRole('button', { name: 'Save query' }).click();
    await page().getByLabel('Name').fill('All of Debian');
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    await page().getByText('Saved queries (1)').click();

    await open(`/query?${new URLSearchParams({ pql: 'nodes { certname ! "a" }' })}`);
    await page().getByText('At line 1, column 18: expected').waitFor();
    await page().locator('.cm-lintRange-error').waitFor();
    visitor().complaints.splice(0); // the query was refused
  });
}

function eventScenario({ open, page }: Steps): void {
  test('D1, first steps: from the failures of the overview to a report', async () => {
    await open('/');
    const runs = page().getByRole('region', { name: 'Runs per 15 minutes' });
    expect(await runs.getByRole('link', { name: /\d runs?: / }).count()).toBeGreaterThan(0);
    await page().getByLabel('Environment').selectOption('production');
    await page().getByRole('link', { name: 'Failures by message' }).click();
    await page().getByRole('heading', { name: 'Events' }).waitFor();
    expect(new URL(page().url()).searchParams.get('environment')).toBe('production');
    await page()
      .getByRole('link', { name: /No space left on device/ })
      .click();
    await page()
      .getByText(/2 events on 2 nodes/)
      .waitFor();
    await page().getByRole('row').filter({ hasText: 'db01' }).getByRole('link').last().click();
    await page().getByRole('heading', { name: 'Run of db01.e2e.test' }).waitFor();
  });
}

function packageScenario({ goTo, open, page, rows }: Steps): void {
  test('D6, first steps: the nodes with a version of a package', async () => {
    await open('/packages?environment=testing');
    await page().getByText('No node of testing reports its packages').waitFor();
    await page().getByLabel('Environment').selectOption('production');
    await page().waitForURL(/environment=production/);
    await goTo('Packages');
    await page().getByLabel('Search packages').fill('openssl');
    await expect.poll(() => rows().count(), patience).toBe(2);
    await page().getByRole('link', { name: 'openssl' }).first().click();
    const versions = page().getByRole('region', { name: 'Versions' });
    await versions.getByRole('link', { name: '1 node' }).first().click();
    await page().waitForURL(/\/nodes\?.*q=package/);
    expect(new URL(page().url()).searchParams.get('environment')).toBe('production');
    await expect.poll(() => rows().count(), patience).toBe(1);
  });
}

function compareScenario({ open, page }: Steps): void {
  test('two nodes are compared, stored and compiled', async () => {
    await open('/nodes/web01.e2e.test?tab=catalog');
    await page().getByRole('link', { name: 'Compare with' }).click();
    await page().getByLabel('Right node', { exact: true }).fill('web02.e2e.test');
    await page().getByRole('button', { name: 'Compare' }).click();
    await page().getByRole('region', { name: 'Changed' }).waitFor();
    await page().getByLabel('Right node', { exact: true }).fill('web01.e2e.test');
    await page().getByLabel('Catalog of the right node').selectOption('Compiled in production');
    await page().getByRole('button', { name: 'Compare' }).click();
    await page().getByText('Right: web01.e2e.test').waitFor();
    await page().getByRole('tab', { name: 'Facts' }).click();
    await page().getByText('facts are the same').waitFor();
  });
}

function paletteScenario({ open, page, visitor }: Steps): void {
  test('D8: the palette leads to nodes and pages, by keyboard alone', async () => {
    await open('/');
    const { keyboard } = page();
    const find = async (text: string, title: string) => {
      await keyboard.press('Control+k');
      const field = page().getByRole('searchbox', { name: 'Search pages, nodes, groups, jobs, users' });
      await expect.poll(() => field.evaluate((each) => each === document.activeElement), patience).toBe(true);
      await keyboard.type(text);
      await page().getByRole('menuitem', { name: title }).waitFor();
    };
    // On a busy machine what is found may come after other items: the wanted one is taken when it is the chosen one.
    const take = async (title: string) => {
      const chosen = async () => {
        await keyboard.press('ArrowDown');
        return await page().evaluate<string>(
          'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent ?? ""',
        );
      };
      await expect.poll(chosen, patience).toBe(title);
      await keyboard.press('Enter');
      await page().getByRole('dialog').waitFor({ state: 'detached' });
    };
    await find('web02', 'web02.e2e.test');
    expect(await violations(visitor())).toEqual([]);
    await take('web02.e2e.test');
    await page().getByRole('heading', { name: 'web02.e2e.test' }).waitFor();
    await find('node req', 'Certificates');
    await take('Certificates');
    await page().getByRole('heading', { name: 'Certificates' }).waitFor();
  });
}

/** Pages of which pictures are taken. */
export const inspectPages: Readonly<Record<string, string>> = {
  'facts-values': '/facts?path=os.name&find=os',
  events: '/events?by=message&from=last-run',
  'events-subject': `/events?${new URLSearchParams({ by: 'node', status: 'any', subject: 'db01.e2e.test' })}`,
  packages: '/packages',
  'query-rows': `/query?${new URLSearchParams({ pql: 'nodes[certname, latest_report_status, report_timestamp, latest_report_hash] {}' })}`,
  'compare-catalogs': '/compare?left=web01.e2e.test&right=db01.e2e.test',
  'compare-facts': '/compare?kind=facts&left=web01.e2e.test&right=web02.e2e.test',
};
