/** What people do with nodes and lists of them: retire, disable, select, export. */

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connectNode, requestCertificate, runNode } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';
import { handsOnKeys } from './support/keys.ts';
import { lookHere } from './support/page-looks.ts';

export function fleetScenarios(window: ConsoleWindow): void {
  retireScenario(window);
  agentScenario(window);
  selectionScenario(window);
  acceptScenario(window);
  keyScenario(window);
}

async function press(within: Page | Locator, name: string | RegExp): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click();
}

function retireScenario(window: ConsoleWindow): void {
  const { open, page, site } = window;
  const { enter, type } = handsOnKeys({ page });

  test('D7, by keyboard: retire a node: its pins, its certificate, its place in lists', async () => {
    const certname = 'old01.e2e.test';
    await runNode(site(), certname, ['intentional']);
    await open('/groups');
    await page().getByRole('link', { name: 'PE Agent', exact: true }).click();
    await page().getByLabel('Certname').fill(certname);
    await press(page(), 'Pin node');
    await press(page(), 'Commit 1 change');
    await press(page(), 'Commit changes');
    await page().getByRole('button', { name: 'Commit 1 change' }).waitFor({ state: 'detached' });

    await open(`/nodes/${certname}`);
    await page().getByRole('tab', { name: 'Certificate' }).click();
    await page().getByRole('region', { name: 'Certificate' }).getByText('SHA-256').waitFor();
    await enter(page().getByRole('button', { name: 'Retire node' }));
    const dialog = page().getByRole('dialog');
    await dialog.getByText('Unpin from 1 group: PE Agent').waitFor();
    const retire = dialog.getByRole('button', { name: 'Retire', exact: true });
    expect(await retire.isDisabled()).toBe(true);
    expect(await lookHere(window, 'retire-question')).toEqual({});
    await type(dialog.getByLabel('Type the certname'), certname);
    await enter(retire);
    await page().getByText('Retired', { exact: true }).waitFor();
    await page().getByRole('link', { name: 'admin', exact: true }).waitFor();

    await page().getByText('No certificate of this name').waitFor();
    await page().getByRole('tab', { name: 'Activity' }).click();
    await page().getByText(`Deactivated the node ${certname}`).waitFor();
    await page().getByText(`Revoked and deleted the certificates of ${certname}`).waitFor();
    await open('/nodes?q=old01');
    await page().getByText('No node matches').waitFor();
  });
}

function agentScenario({ open, page, site }: ConsoleWindow): void {
  test('a node: keep its agent from running, run Puppet with tags, its packages', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await open('/nodes/web01.e2e.test');
    await press(page(), 'Disable agent');
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Message').fill('until the move is over');
    await press(dialog, 'Disable on 1 node');
    const disabling = await node.next();
    expect(disabling.params).toMatchObject({
      task: 'bunraku::agent',
      input: { action: 'disable', message: 'until the move is over' },
    });
    disabling.end({ exitcode: 0, stdout: '{"enabled": false}', stderr: '' });
    await page()
      .getByRole('heading', { name: /^bunraku::agent \(job \d+\)$/ })
      .waitFor();

    await open('/nodes/web01.e2e.test');
    await press(page(), 'Run Puppet');
    await dialog.getByLabel('Tags').fill('ntp');
    await dialog.getByLabel(/^Debug/).check();
    await press(dialog, 'Run on 1 node');
    const run = await node.next();
    expect(run.params).toMatchObject({ flags: expect.arrayContaining(['--debug', '--tags', 'ntp']) });
    run.end({ kind: 'apply_result', status: 'unchanged', exitcode: 0 });
    node.close();

    await open('/nodes/web01.e2e.test?tab=packages');
    await page().getByRole('link', { name: 'openssl' }).waitFor();
    await page().getByRole('link', { name: 'Compare with' }).click();
    await page().waitForURL(/\/compare\?kind=packages/);
  });
}

function selectionScenario(window: ConsoleWindow): void {
  const { open, page } = window;
  const { choose, enter, reach, type } = handsOnKeys({ page });

  test('by keyboard, selected nodes: run Puppet, compare, pin to a group; a fact as a column', async () => {
    await open('/nodes?q=web');
    await page().getByText('All 4 nodes that match').waitFor();
    await reach(page().getByRole('checkbox', { name: 'Select web01.e2e.test' }));
    await page().keyboard.press('Space');
    await page().getByText('1 node selected').waitFor();
    await reach(page().getByRole('link', { name: 'web01.e2e.test' }));
    for (const key of ['j', 'j', 'Shift+X']) await page().keyboard.press(key);
    await page().getByText('3 nodes selected').waitFor();
    await page().getByRole('tooltip').getByText('UTC').waitFor();
    await page().keyboard.press('x');
    await page().getByText('2 nodes selected').waitFor();
    expect(await page().getByRole('link', { name: 'Compare', exact: true }).getAttribute('href')).toContain(
      'left=web01.e2e.test&right=web02.e2e.test',
    );
    await enter(page().getByRole('button', { name: 'Run Puppet', exact: true }));
    const dialog = page().getByRole('dialog');
    await dialog.getByText('web01.e2e.test, web02.e2e.test').waitFor();
    await dialog.getByRole('button', { name: 'Run on 2 nodes' }).waitFor();
    expect(await lookHere(window, 'run-puppet-question')).toEqual({});
    await page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await page().keyboard.press('Control+k');
    await page().locator('[role=dialog] input:focus').waitFor();
    await page().keyboard.type('pin 2 nodes');
    await page().getByRole('menuitem', { name: 'Pin 2 nodes to a group' }).waitFor();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await choose(dialog.getByLabel('Node group'), 'PE PuppetDB');
    await dialog.getByText('2 nodes change').waitFor();
    expect(await lookHere(window, 'pin-question')).toEqual({});
    await enter(dialog.getByRole('button', { name: 'Pin 2 nodes' }));
    await dialog.waitFor({ state: 'hidden' });
    await enter(page().getByRole('button', { name: 'Select none' }));
    await enter(page().getByText('Columns', { exact: true }));
    await type(page().getByRole('combobox', { name: 'Fact' }), 'os.family');
    await enter(page().getByRole('button', { name: 'Add column' }));
    await page().getByRole('columnheader', { name: 'os.family' }).waitFor();
    expect(new URL(page().url()).searchParams.get('facts')).toBe('os.family');

    await open('/nodes/web01.e2e.test?tab=groups');
    await page().getByRole('region', { name: 'Matching groups' }).getByText('PE PuppetDB').waitFor();
  });
}

function acceptScenario(window: ConsoleWindow): void {
  const { open, page, site } = window;
  const { enter } = handsOnKeys({ page });

  test('by keyboard, accept all ordinary requests at once, which leaves those with alternative names', async () => {
    await requestCertificate(site(), 'many01.example.com');
    await requestCertificate(site(), 'many02.example.com');
    await requestCertificate(site(), 'many03.example.com', ['puppet.example.com']);
    await open('/certificates?q=many');
    // Other scenarios leave requests as well.
    const waiting = async () =>
      Number.parseInt(
        await page()
          .getByRole('link', { name: / requests? for certificates$/ })
          .innerText(),
        10,
      );
    const before = await waiting();
    await enter(page().getByRole('button', { name: 'Accept all' }));
    const dialog = page().getByRole('dialog');
    await dialog.getByText('1 request asks for alternative names').waitFor();
    expect(await lookHere(window, 'accept-all-question')).toEqual({});
    await enter(dialog.getByRole('button', { name: 'Accept 2 requests' }));
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(waiting, patience).toBe(before - 2);
    await page().getByRole('button', { name: 'Accept many03.example.com' }).waitFor();
    expect(await page().getByRole('button', { name: 'Accept many01.example.com' }).count()).toBe(0);
    await press(page(), 'Reject many03.example.com');
    await press(dialog, 'Reject');
    await dialog.waitFor({ state: 'hidden' });
  });
}

function keyScenario({ open, page }: ConsoleWindow): void {
  test('keys: help, tabs, run; the time zone of the account; users in the palette', async () => {
    await open('/account');
    await page().getByLabel('Time zone').fill('Asia/Tokyo');
    await page().getByLabel('Time zone').blur();
    await open('/nodes/web02.e2e.test');
    await expect
      .poll(() => page().locator('main time').first().getAttribute('title'), patience)
      .toMatch(/GMT\+9|JST/);
    await page().keyboard.press(']');
    await page().waitForURL(/tab=facts/);
    await page().keyboard.press('[');
    await page().waitForURL(/web02\.e2e\.test$/);
    await page().locator('main').focus();
    await page().keyboard.press('?');
    const dialog = page().getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('tab before, tab after').waitFor();
    await page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page().keyboard.press('r');
    const question = page().getByRole('dialog', { name: 'Run Puppet' });
    await question.waitFor();
    await page().keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });

    await page().keyboard.press('Control+k');
    await page()
      .getByRole('searchbox', { name: /^Search pages/ })
      .fill('@admi');
    await page()
      .getByRole('menuitem', { name: /^admin/ })
      .click();
    await page().waitForURL(/\/access\?id=/);
    await open('/account');
    await page().getByLabel('Time zone').fill('');
  });
}

/** Pages whose pictures are taken. */
export const fleetPages: Readonly<Record<string, string>> = {
  'node-packages': '/nodes/web01.e2e.test?tab=packages',
  'node-activity': '/nodes/old01.e2e.test?tab=activity',
  'node-certificate': '/nodes/web01.e2e.test?tab=certificate',
  'node-retired': '/nodes/old01.e2e.test',
};
