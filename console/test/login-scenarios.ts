/** How people log in, and what happens when a session ends. */

import { expect, test } from 'vitest';
import { logIn, settled } from './support/browser.ts';
import { origin, password } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';
import { connectProviders } from './support/identity-providers.ts';

export function loginScenarios(window: ConsoleWindow): void {
  loggingIn(window);
  endingSessions(window);
}

function loggingIn({ newVisitor, site }: ConsoleWindow): void {
  test('G0: log in', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/nodes?q=web`);
    await other.page.waitForURL(/\/login\?next=/);
    await logIn(other.page, 'admin', 'wrong');
    await other.page.waitForURL(`${origin}/auth/login`);
    expect(await other.page.getByRole('alert').textContent()).not.toBe('');

    // After a wrong password the next attempt has to wait a second.
    const goOn = async () => {
      await logIn(other.page, 'admin', password);
      await settled(other.page);
      return other.page.url();
    };
    await expect.poll(goOn, patience).toBe(`${origin}/nodes?q=web`);

    await other.page.getByRole('heading', { name: 'Nodes' }).waitFor();
    await other.page.getByRole('link', { name: 'Overview' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.context.close();
  });

  test('G0: log in by identity providers, which send the browser back from another site', async () => {
    const providers = await connectProviders(site());
    const other = await newVisitor();
    try {
      for (const [link, login] of Object.entries(providers.logins)) {
        await other.page.goto(`${origin}/nodes?q=web`);
        await other.page.getByRole('link', { name: link }).click();
        await other.page.waitForURL(`${origin}/nodes?q=web`);
        await other.page.getByRole('heading', { name: 'Nodes' }).waitFor();
        const session = `fetch('/console-api/v1/session').then((answer) => answer.json())`;
        expect(await other.page.evaluate(session)).toMatchObject({ user: { login } });
        await other.context.clearCookies();
      }
      expect(other.complaints.filter((each) => !each.startsWith('request to http://127.0.0.1'))).toEqual([]);
    } finally {
      await other.context.close();
      await providers.stop();
    }
  });
}

function endingSessions({ newVisitor }: ConsoleWindow): void {
  test('a session that ends: the page stays, and goes on after a new log-in', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/nodes`);
    await logIn(other.page, 'admin', password);
    await other.page.getByRole('link', { name: 'web01.e2e.test' }).waitFor();
    await other.context.clearCookies();
    await other.page.getByRole('button', { name: 'Refresh' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.waitFor();

    expect(await other.page.getByText('web01.e2e.test').count()).toBe(1);
    await dialog.getByLabel('Login').fill('admin');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Log in' }).click();

    await dialog.waitFor({ state: 'hidden' });
    await other.page.getByRole('link', { name: 'web01.e2e.test' }).waitFor();
    await other.page.getByRole('button', { name: /^Account of/ }).click();
    await other.page.getByRole('menuitem', { name: 'Log out' }).click();
    await other.page.getByText('You are logged out').waitFor();
    await other.context.close();
  });

  test('somebody without the permission for the console is told so', async () => {
    const other = await newVisitor();
    await other.page.goto(`${origin}/`);
    await logIn(other.page, 'guest', password);
    await other.page.getByText('guest may not use the console').waitFor();
    expect(new URL(other.page.url()).pathname).toBe('/auth/login');
    await other.context.close();
  });
}
