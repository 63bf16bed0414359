/** What people do with tasks, plans, schedules and Live Management; the names are those of the workflows. */

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connectNode, origin } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';

export function actScenarios(scene: ConsoleWindow): void {
  taskScenarios(scene);
  planScenarios(scene);
  liveScenarios(scene);
}

async function press(within: Page | Locator, name: string | RegExp): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click();
}

/** From any page, as a click in the navigation. */
async function go({ page }: ConsoleWindow, name: string): Promise<void> {
  await page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
}

function taskScenarios(scene: ConsoleWindow): void {
  const { open, page, site } = scene;

  test('D9: a task on the nodes that a filter finds, its output while it runs', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await open('/nodes?q=web01');
    await press(page(), 'Run task');
    await page().getByLabel('Search tasks').fill('package');
    await page()
      .getByRole('link', { name: /^package/ })
      .click();
    const run = page().getByRole('button', { name: 'Run on 1 node' });
    await page().getByText('web01.e2e.test', { exact: true }).waitFor();
    expect(await run.isDisabled()).toBe(true);
    await page().getByLabel('action').selectOption('status');
    await page().getByLabel('name').fill('openssl');
    await run.click();
    await page()
      .getByRole('heading', { name: /^package \(job \d+\)$/ })
      .waitFor();

    const doing = await node.next();
    doing.write('looking for openssl\n');
    await page().getByText('looking for openssl').waitFor();
    doing.end({ exitcode: 0, stdout: '{"status": "up to date", "version": "3.0.15"}', stderr: '' });

    await page().getByText('"up to date"').waitFor();
    expect(doing.params).toMatchObject({ task: 'package', input: { action: 'status', name: 'openssl' } });
    node.close();
  });

  test('D6: a task on Sundays; other times, a pause, the end', async () => {
    await open('/tasks/package?targets=web01.e2e.test&params={"action":"upgrade","name":"openssl"}');
    await press(page(), 'Schedule');
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Times').fill('0 2 * * SUN');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await expect.poll(() => dialog.getByRole('listitem').count(), patience).toBe(5);
    await press(dialog, 'Schedule');
    await page()
      .getByRole('heading', { name: /^package \(schedule \d+\)$/ })
      .waitFor();
    await page().getByText('No runs yet').waitFor();

    await press(page(), 'Change times');
    await dialog.getByLabel('Times').fill('0 3 * * SUN');
    await press(dialog, 'Change times');
    await page().getByText('0 3 * * SUN, Europe/Berlin').waitFor();
    await press(page(), 'Disable');
    await press(dialog, 'Disable');
    await page().getByText('The schedule is disabled').waitFor();
    await go(scene, 'Schedules');
    await page().getByRole('row').filter({ hasText: 'package' }).getByText('disabled').waitFor();
    await page().getByRole('table').getByRole('link', { name: 'package' }).click();
    await press(page(), 'Delete');
    await press(dialog, 'Delete the schedule');
    await page().getByText('No schedules').waitFor();
  });
}

function planScenarios({ open, page, site }: ConsoleWindow): void {
  test('a plan: its steps lead to their jobs, its result is shown', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await open('/tasks/website::check');
    await page().getByRole('link', { name: 'Plans', exact: true }).click();
    await page().waitForURL(`${origin}/plans`);
    // Until then the task of the same name is there.
    await page().getByRole('heading', { name: 'Plans', exact: true, level: 1 }).waitFor();
    await page().getByRole('link', { name: 'website::check' }).click();
    await page().getByLabel('Node list').fill('web01.e2e.test');
    await press(page(), 'Run plan');
    await page()
      .getByRole('heading', { name: /^website::check \(plan job \d+\)$/ })
      .waitFor();
    (await node.next()).end({ exitcode: 0, stdout: '4 pages, 0 failures\n', stderr: '' });

    await page().getByText('Checking the website on 1 nodes').waitFor();
    await page().getByText('The website is right on web01.e2e.test').waitFor();
    await page()
      .getByRole('link', { name: /^Task website::check, job \d+$/ })
      .click();
    await page().getByText('4 pages, 0 failures').waitFor();
    node.close();
  });
}

function liveScenarios(scene: ConsoleWindow): void {
  const { page, site } = scene;

  test('G5: run Puppet on selected nodes, then ask for the status', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await go(scene, 'Live Management');
    await page().getByRole('tab', { name: 'Control Puppet' }).click();
    await press(page(), 'Select none');
    await page().getByRole('checkbox', { name: 'web01.e2e.test' }).check();
    await page().getByRole('link', { name: 'runonce' }).click();
    await press(page(), 'Run');
    (await node.next()).end({ kind: 'apply_result', status: 'unchanged', exitcode: 0 });
    await page().getByRole('region', { name: 'Results' }).getByText('Finished').first().waitFor();

    await page().getByRole('link', { name: 'return to action list' }).click();
    await page().getByRole('link', { name: 'status' }).click();
    await press(page(), 'Run');
    const lastRun = { time: new Date().toISOString(), failed: 0, changed: 0 };
    const status = { enabled: true, message: null, running: true, version: '8.10.0', last_run: lastRun };
    (await node.next()).end({ exitcode: 0, stdout: JSON.stringify(status), stderr: '' });

    await page().getByText('Currently applying a catalog').waitFor();
    expect(page().url()).toContain(`${origin}/live?selected=web01.e2e.test&action=status&job=`);
    node.close();
  });

  test('G4: run Puppet in order; a stage fails, the rest is skipped, and it goes on from there', async () => {
    const [first, second] = [
      await connectNode(site(), 'db01.e2e.test'),
      await connectNode(site(), 'db02.e2e.test'),
    ];
    await go(scene, 'Live Management');
    await page().getByRole('tab', { name: 'Run in order' }).click();
    await press(page(), 'Split');
    const stage = (name: string) => page().getByRole('region', { name });
    // The site has only a primary, which no PXP agent runs on.
    await press(stage('Stage 4: Primary'), /^Remove primary/);
    for (const [name, certname] of [
      ['Stage 1: Compile servers', 'db01.e2e.test'],
      ['Stage 2: PuppetDB', 'db02.e2e.test'],
    ] as const) {
      await stage(name).getByLabel('Certname').fill(certname);
      await press(stage(name), 'Add node');
    }
    await press(page(), 'Run');
    (await first.next()).end({ kind: 'apply_result', status: 'failed', exitcode: 1 });
    await stage('Stage 2').getByText('Skipped').first().waitFor();

    await press(page(), 'Continue from here');
    (await first.next()).end({ kind: 'apply_result', status: 'unchanged', exitcode: 0 });
    await stage('Stage 1').getByText('Finished').first().waitFor();
    (await second.next()).end({ kind: 'apply_result', status: 'unchanged', exitcode: 0 });
    await stage('Stage 2').getByText('Finished').first().waitFor();
    first.close();
    second.close();
  });
}

/** Addresses for pictures. Scheduled tasks are there for as long as they are looked at. */
export async function actPages(page: Page, open: (address: string) => Promise<void>) {
  await open('/tasks/website::check?targets=web01.e2e.test,web02.e2e.test');
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('heading', { name: /^website::check \(schedule/ }).waitFor();
  const schedule = new URL(page.url()).pathname;
  await open('/plans');
  const planJobs = page.locator('main a[href^="/plan-jobs/"]');
  // There is one after the scenarios of plans.
  const planJob = (await planJobs.count()) === 0 ? null : await planJobs.first().getAttribute('href');
  return {
    'task-form': '/tasks/website::check?targets=web01.e2e.test,web02.e2e.test',
    plans: '/plans',
    ...(planJob === null ? {} : { 'plan-job': planJob }),
    schedules: '/schedules',
    schedule,
    live: '/live?selected=web01.e2e.test&action=runonce',
    'live-order': '/live?tab=order&kind=split',
  };
}
