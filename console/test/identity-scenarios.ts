/** What administrators do about logins: a link for a new password, the text of the log-in page, a directory of the company. */

import { expect, test } from 'vitest';
import { openIdClient, RunningOpenIdProvider } from '../../test/support/running-openid-provider.ts';
import { isSlapdInstalled } from '../../test/support/running-slapd.ts';
import { SamlProvider } from '../../test/support/saml-provider.ts';
import { logIn } from './support/browser.ts';
import { origin, password } from './support/console-site.ts';
import { type ConsoleWindow, patience } from './support/console-window.ts';
import { directory, startDirectory } from './support/directory.ts';

export function identityScenarios(window: ConsoleWindow): void {
  resetScenario(window);
  settingsScenario(window);
  providerScenario(window);
  test.skipIf(!isSlapdInstalled)(
    'D11, first steps: a directory is tried out and connected, and a group of it gets a role',
    async () => await connectDirectory(window),
  );
}

function providerScenario({ open, page }: ConsoleWindow): void {
  test('an OpenID provider is tried out, connected and disconnected', async () => {
    const provider = await RunningOpenIdProvider.start();
    provider.renew();
    const dialog = page().getByRole('dialog');
    try {
      await open('/access/directories');
      await page().getByRole('button', { name: 'Add OpenID provider' }).click();
      const fields = {
        'Name on the log-in page': 'Staff',
        'Name in addresses': 'staff',
        Issuer: provider.issuer,
        'Client ID': openIdClient.id,
        'Client secret': openIdClient.secret,
      };
      for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
      await dialog.getByText('/auth/oidc/staff/callback').waitFor();
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.getByText('The provider answers').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page().getByRole('heading', { name: 'Staff' }).waitFor();
      await page().getByRole('button', { name: 'Edit Staff' }).click();
      await expect.poll(() => dialog.getByLabel('Issuer').inputValue(), patience).toBe(provider.issuer);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page().getByRole('button', { name: 'Disconnect Staff' }).click();
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await page().getByText('No identity providers').waitFor();
    } finally {
      await provider.stop();
    }
  });

  test('a SAML provider is set up, shown again and disconnected', async () => {
    const { certificate } = await SamlProvider.create();
    const dialog = page().getByRole('dialog');
    await open('/access/directories');
    await page().getByRole('button', { name: 'Set up SAML' }).click();
    await dialog.getByText('Our entity ID and metadata').waitFor();
    const fields = {
      'Name on the log-in page': 'Company',
      'Entity ID of the provider': 'https://login.example.com/saml',
      'Log-in address of the provider': 'https://login.example.com/saml/sso',
      'Certificates of the provider': certificate,
    };
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page().getByRole('button', { name: 'Edit Company' }).click();
    const shown = () => dialog.getByLabel('Certificates of the provider').inputValue();
    await expect.poll(shown, patience).toBe(certificate.trim());
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('button', { name: 'Disconnect Company' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page().getByText('No identity providers').waitFor();
  });
}

function resetScenario({ newVisitor, open, page }: ConsoleWindow): void {
  test('a link lets a user set a new password, once', async () => {
    await open('/access');
    await page().getByRole('link', { name: 'guest' }).click();
    await page().getByRole('button', { name: 'Password link', exact: true }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText('It is shown only once').waitFor();
    const link = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();

    const other = await newVisitor();
    await other.page.goto(link);
    const set = async (repeated: string) => {
      await other.page.getByLabel('New password').fill('another battery staple');
      await other.page.getByLabel('The same again').fill(repeated);
      await other.page.getByRole('button', { name: 'Set the password' }).click();
    };
    await set('not the same');
    await expect.poll(() => other.page.getByRole('alert').textContent(), patience).not.toBe('');
    await set('another battery staple');
    await other.page.getByText('Your new password is set').waitFor();
    await logIn(other.page, 'guest', 'another battery staple');
    await other.page.getByText('guest may not use the console').waitFor();

    await other.page.goto(link);
    await set('another battery staple');
    await expect.poll(() => other.page.getByRole('alert').textContent(), patience).not.toBe('');
    await other.context.close();
  });
}

function settingsScenario({ newVisitor, open, page }: ConsoleWindow): void {
  test('settings name where they come from, and the text of the log-in page is changed', async () => {
    await open('/');
    await page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
    await page().getByLabel('Search settings').fill('console_port');
    await page()
      .getByText(/^from .*bunraku\.conf/)
      .first()
      .waitFor();
    await page().getByLabel('Shown before log-in').fill('Authorised use <b>only</b>');
    await page().getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => page().getByRole('button', { name: 'Save', exact: true }).isDisabled(), patience)
      .toBe(true);

    const other = await newVisitor();
    await other.page.goto(`${origin}/login`);
    await other.page.getByText('Authorised use <b>only</b>').waitFor();
    await other.context.close();
  });
}

async function connectDirectory({ newVisitor, open, page, visitor }: ConsoleWindow): Promise<void> {
  const slapd = await startDirectory();
  const dialog = page().getByRole('dialog');
  try {
    await open('/access/directories');
    await page().getByRole('button', { name: 'Add directory' }).click();
    const fields = {
      'Name of the directory': 'Company',
      'Host name': '127.0.0.1',
      'Base DN': directory.baseDn,
      'Lookup user (DN)': directory.manager.dn,
      'Password of the lookup user': 'wrong',
    };
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
    await dialog.getByLabel('Connection').selectOption('Not encrypted: passwords can be read');
    await dialog.getByLabel('Port').fill(String(slapd.port));
    const result = dialog.getByRole('status');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => result.textContent(), patience).toMatch(/was refused/);
    visitor().complaints.splice(0); // the test was refused
    await dialog.getByLabel('Password of the lookup user').fill(directory.manager.password);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => result.textContent(), patience).toContain('The directory answers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page().getByRole('heading', { name: 'Company' }).waitFor();

    await page().getByRole('tab', { name: 'Groups' }).click();
    await page().getByRole('button', { name: 'Import group' }).click();
    await dialog.getByLabel('Name of the group').fill(directory.group);
    await dialog.getByLabel(/^Viewers/).check();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page().getByRole('table').getByText(directory.group, { exact: true }).waitFor();

    const other = await newVisitor();
    await other.page.goto(`${origin}/nodes`);
    await logIn(other.page, directory.member, password);
    await other.page.getByRole('heading', { name: 'Nodes' }).waitFor();
    expect(await other.page.getByRole('link', { name: 'Access control' }).count()).toBe(0);
    await other.context.close();

    await page().getByRole('tab', { name: 'Directories' }).click();
    await page().getByRole('button', { name: 'Disconnect Company' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page().getByText('No directories').waitFor();
  } finally {
    await slapd.remove();
  }
}
