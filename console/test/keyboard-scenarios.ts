/** The most common things without a mouse. The scenarios of lists and of retiring nodes are by keyboard as well. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled } from './support/browser.ts';
import { connectNode, requestCertificate } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';
import { handsOnKeys, type Keys } from './support/keys.ts';

interface Hands extends Keys {
  readonly page: () => Page;
  /** After `g`, the key of a page. */
  readonly go: (key: string) => Promise<void>;
}

export function keyboardScenarios(window: ConsoleWindow): void {
  const hands = handsOn(window);
  describeSearch(hands);
  describeCertificate(hands, window);
  describeTask(hands, window);
  describePin(hands);
  describeDeploy(hands);
}

function handsOn({ open, page }: ConsoleWindow): Hands {
  const keys = handsOnKeys({ page });
  return {
    ...keys,
    page,
    async go(key) {
      await open('/');
      await page().keyboard.press('g');
      await page().keyboard.press(key);
      await expect.poll(() => new URL(page().url()).pathname, patience).not.toBe('/');
      await settled(page());
      // Past the navigation, from wherever the focus is after the scenarios before.
      await keys.reach(page().getByRole('link', { name: 'Skip to the content' }));
      await page().keyboard.press('Enter');
    },
  };
}

function describeSearch({ enter, go, page }: Hands): void {
  test('by keyboard alone: from the failures to the cause of one', async () => {
    await go('e');
    await enter(page().getByRole('table').getByRole('link').first());
    await enter(
      page()
        .getByRole('button', { name: /^Why did this change/ })
        .first(),
    );
    await page()
      .getByRole('dialog')
      .getByText(/Compared with|No earlier run/)
      .waitFor();
    await page().keyboard.press('Escape');
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
    const focused = page().locator(':focus');
    expect(await focused.getAttribute('aria-label')).toMatch(/^Why did this change/);
  });
}

function describeCertificate({ enter, go, page }: Hands, { site }: ConsoleWindow): void {
  test('by keyboard alone: a request for a certificate is accepted', async () => {
    await requestCertificate(site(), 'keys.example.com');
    await go('i');
    await enter(page().getByRole('button', { name: 'Accept keys.example.com' }));
    await enter(page().getByRole('dialog').getByRole('button', { name: 'Accept' }));
    await page().getByRole('button', { name: 'Accept keys.example.com' }).waitFor({ state: 'detached' });
  });
}

function describeTask({ enter, go, page, type }: Hands, { site }: ConsoleWindow): void {
  test('by keyboard alone: a task runs on a node', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await go('t');
    await type(page().getByLabel('Search tasks'), 'website');
    await enter(page().getByRole('link', { name: /^website::check/ }));
    await type(page().getByLabel('Node list'), 'web01.e2e.test');
    await enter(page().getByRole('button', { name: 'Run on 1 node' }));
    (await node.next()).end({ exitcode: 0, stdout: '5 pages, 0 failures\n', stderr: '' });
    await page().getByText('5 pages, 0 failures').waitFor();
    node.close();
  });
}

function describePin({ enter, go, page, type }: Hands): void {
  test('by keyboard alone: a node is pinned to a group, and taken out again', async () => {
    await go('c');
    await enter(
      page()
        .getByRole('navigation', { name: 'Node groups' })
        .getByRole('link', { name: /^PE Agent/ }),
    );
    await type(page().getByLabel('Certname'), 'keys.example.com');
    await enter(page().getByRole('button', { name: 'Pin node' }));
    await enter(page().getByRole('button', { name: 'Commit 1 change' }));
    await enter(page().getByRole('dialog').getByRole('button', { name: 'Commit changes' }));
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
    await enter(page().getByRole('button', { name: 'Remove keys.example.com' }));
    await enter(page().getByRole('button', { name: 'Commit 1 change' }));
    await enter(page().getByRole('dialog').getByRole('button', { name: 'Commit changes' }));
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
  });
}

function describeDeploy({ enter, go, page, reach }: Hands): void {
  test('by keyboard alone: an environment is deployed', async () => {
    await go('d');
    await enter(page().getByRole('button', { name: 'Deploy', exact: true }));
    const dialog = page().getByRole('dialog');
    await reach(dialog.getByLabel('Environment'));
    await page().keyboard.type('testing');
    await enter(dialog.getByRole('button', { name: 'Deploy', exact: true }));
    await dialog.waitFor({ state: 'hidden' });
  });
}
