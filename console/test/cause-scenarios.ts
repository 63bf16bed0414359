/** What people do to find the cause of a change, and what they take away as a file. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ConsoleWindow } from './support/console-window.ts';

export function causeScenarios(window: ConsoleWindow): void {
  whyScenario(window);
  fileScenario(window);
  exportScenario(window);
  scalingScenario(window);
}

function whyScenario({ open, page }: ConsoleWindow): void {
  test('D10: a resource that has drifted says when it was right and when it was wrong', async () => {
    await open('/nodes/web02.e2e.test?tab=reports');
    await page().getByRole('link', { name: 'Corrective change' }).first().click();
    await page()
      .getByRole('button', { name: /^Why did this change/ })
      .first()
      .click();
    const dialog = page().getByRole('dialog');
    await dialog.getByText(/The resource has drifted|The run corrected drift/).waitFor();
    await dialog
      .getByText(/^(Certain|Likely)$/)
      .first()
      .waitFor();
    await dialog.getByRole('link', { name: /^the run of/ }).click();
    await page().getByRole('heading', { name: 'Run of web02.e2e.test' }).waitFor();
  });
}

function fileScenario({ open, page }: ConsoleWindow): void {
  test('the files of an environment, and the catalog of a node in it', async () => {
    await open('/code/production');
    await page().getByRole('tab', { name: 'Files' }).click();
    await page().getByRole('link', { name: 'manifests', exact: true }).click();
    await page().getByRole('link', { name: 'site.pp', exact: true }).click();
    await page().getByText('in use').first().waitFor();
    await page().getByRole('listitem').filter({ hasText: 'node default' }).first().waitFor();
    expect(new URL(page().url()).searchParams.get('path')).toBe('manifests/site.pp');

    await page().getByRole('tab', { name: 'Preview' }).click();
    await page().getByLabel('Node', { exact: false }).fill('web01.e2e.test');
    await page().getByRole('button', { name: 'Preview' }).click();
    await page().getByText('Left: web01.e2e.test').waitFor();
  });
}

function exportScenario({ open, page }: ConsoleWindow): void {
  test('the list of nodes as a file', async () => {
    await open('/nodes?q=web&facts=os.name');
    const download = page().waitForEvent('download');
    await page().getByRole('button', { name: 'Export as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('nodes.csv');
    // Not by way of the page's memory.
    expect(new URL(file.url()).pathname).toMatch(/^\/console-api\/v1\/exports\/downloads\//);
    await page().getByText('The download has begun').waitFor();
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.length).toBe(5);
    expect(lines[0]).toContain('fact.os.name');
  });
}

function scalingScenario({ page }: ConsoleWindow): void {
  test('how many compile servers are advised: limits, a pause and their record', async () => {
    await page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Scaling' }).click();
    await page().getByText('Only the primary compiles').waitFor();
    await page().getByRole('button', { name: 'Change limits' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Maximum').fill('0');
    await dialog.getByText('The maximum can’t be below the minimum').waitFor();
    await dialog.getByLabel('Maximum').fill('12');
    await dialog.getByText(/^With these limits 0\.0 workers are needed, and 1 server is advised/).waitFor();
    await dialog.getByRole('button', { name: 'Change limits' }).click();
    await page().getByText('1 to 12 servers').waitFor();
    await page().getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page().getByText('Scaling is paused:').waitFor();
    await page()
      .getByText(/Paused the autoscaler, by/)
      .waitFor();
    await page().getByRole('button', { name: 'Resume', exact: true }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page().getByText('Scaling is paused:').waitFor({ state: 'detached' });
  });
}

/** Pages whose pictures are taken. */
export const causePages: Readonly<Record<string, string>> = {
  scaling: '/scaling',
  'environment-files': '/code/production?tab=files&path=manifests/site.pp',
  'environment-preview': '/code/production?tab=preview&node=web01.e2e.test',
};
