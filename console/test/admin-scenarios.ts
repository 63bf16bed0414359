/** What administrators do: the record of changes, users and tokens, one-time codes. */

import { expect, test } from 'vitest';
import { oneTimeCode } from '../../test/support/one-time-code.ts';
import { logIn, settled } from './support/browser.ts';
import {
  askAsOperator,
  commitCode,
  origin,
  password,
  requestCertificate,
  usersApi,
} from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';

export function adminScenarios(window: ConsoleWindow): void {
  activityScenario(window);
  accessScenario(window);
  creationScenario(window);
  codeScenario(window);
  deployScenario(window);
  joinScenario(window);
}

/** What people do with a page. */
function handsOn({ page }: ConsoleWindow) {
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
  const inDialog = () => page().getByRole('dialog');
  const go = (name: string) =>
    page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

  return { press, inDialog, go };
}

function activityScenario(window: ConsoleWindow): void {
  const { page } = window;
  const { go, inDialog, press } = handsOn(window);
  test('D4: who changed this group, and the way back', async () => {
    await go('Activity');
    await page().getByText('Live', { exact: true }).waitFor();
    await page().getByLabel('Search changes').fill('configuration data');
    await page().waitForURL(/q=configuration/);
    await page()
      .getByRole('link', { name: /configuration data of the class "pe_repo"/ })
      .click();
    await page().getByRole('heading', { name: 'Old and new values' }).waitFor();
    await page().getByRole('cell', { name: 'puppet.example.com' }).waitFor();

    await press('Revert');
    await inDialog()
      .getByText(/\d nodes? changes?;/)
      .waitFor();
    await press('Commit changes');

    await page().waitForURL(/\/activity\?object=node_groups/);
    await page()
      .getByRole('row')
      .nth(1)
      .getByText(/Removed|removed|Deleted/)
      .waitFor();
    const file = await page().request.get(
      `${origin}/activity-api/v2/changes.csv?service=classifier&q=pe_repo`,
    );
    expect((await file.text()).trim().split('\n').length).toBeGreaterThan(2);
  });
}

function accessScenario(window: ConsoleWindow): void {
  const { page } = window;
  const { go, inDialog, press } = handsOn(window);
  test('G11: a role, a user without a password, and a token that is shown once', async () => {
    await go('Access control');
    await page().getByRole('tab', { name: 'Roles' }).click();
    await press('Add role');
    await page().getByLabel(/^Name/).fill('Autoscaling');
    for (const sentence of [
      /^Start, stop and view jobs/,
      /^Run Puppet on agent nodes/,
      /^View node data from PuppetDB/,
    ])
      await page().getByLabel(sentence).check();
    await press('Commit');
    await page().getByRole('link', { name: 'Autoscaling' }).waitFor();

    await page().getByRole('tab', { name: 'Users' }).click();
    await press('Add user');
    await inDialog().getByLabel('Login').fill('autoscaling');
    await inDialog().getByLabel('No password').check();
    await inDialog()
      .getByLabel(/^Autoscaling/)
      .check();
    await inDialog().getByRole('button', { name: 'Add user' }).click();
    await page().getByRole('heading', { name: 'autoscaling' }).waitFor();
    await page().getByText('puppet_agent:run:*').waitFor();

    await press('Generate token');
    await inDialog().getByLabel('Label').fill('scripts');
    await press('Generate');
    await page().getByText('it is shown only once').waitFor();
    const token = (await inDialog().locator('code').textContent()) ?? '';
    const asked = await page().request.get(`${origin}/pdb/query/v4/nodes`, {
      headers: { 'X-Authentication': token, cookie: '' },
    });
    expect(asked.status()).toBe(200);
    await page().reload();
    await settled(page());
    expect(await page().content()).not.toContain(token);
    await page().getByText('scripts').waitFor();
  });
}

function creationScenario(window: ConsoleWindow): void {
  const { open, page, site, visitor } = window;
  const { inDialog, press } = handsOn(window);
  const revert = async (created: string) => {
    await open('/activity');
    await page().getByLabel('Search changes').fill(created);
    await page()
      .getByRole('link', { name: new RegExp(`^Created the ${created}`) })
      .click();
    await press('Revert');
  };

  test('reverting the creation of a role or user shows later changes before deleting it', async () => {
    const [roles, users] = [`${usersApi}/v1/roles`, `${usersApi}/v1/command/users/create`];
    const shift = { display_name: 'Night shift', description: '', permissions: [] };
    await askAsOperator(site(), 'POST', roles, shift);
    const all = (await askAsOperator(site(), 'GET', roles)) as readonly {
      readonly id: number;
      readonly display_name: string;
    }[];
    const id = all.find(({ display_name: name }) => name === shift.display_name)?.id ?? 0;
    await askAsOperator(site(), 'POST', users, { login: 'nina', role_ids: [id] });
    const change = async (description: string) => {
      const { user_ids } = (await askAsOperator(site(), 'GET', `${roles}/${id}`)) as {
        readonly user_ids: readonly string[];
      };
      await askAsOperator(site(), 'PUT', `${roles}/${id}`, { ...shift, description, user_ids });
    };
    await change('From ten to six');

    await revert('role "Night shift"');
    await inDialog().getByText('It has been changed since').waitFor();
    await inDialog().getByText('1 user loses it').waitFor();
    await inDialog().getByRole('rowheader', { name: 'description' }).waitFor();
    await change('From nine to five');
    await press('Delete Night shift');
    await inDialog()
      .getByText(/has been changed meanwhile: description/)
      .waitFor();
    await inDialog().getByRole('button', { name: 'Cancel' }).click();
    visitor().complaints.splice(0); // the deletion was refused
    await press('Revert');
    await press('Delete Night shift');
    await page().getByText('Deleted the role "Night shift"').first().waitFor();

    await revert('user nina');
    await inDialog().getByRole('rowheader', { name: 'role_ids' }).waitFor();
    await press('Delete nina');
    await page().getByText('Deleted the user nina').first().waitFor();
  });
}

function codeScenario(window: ConsoleWindow): void {
  const { newVisitor, open, page, visitor } = window;
  const { inDialog } = handsOn(window);
  test('one-time codes: turned on with the secret, asked for at the next log-in', async () => {
    const other = await newVisitor();
    const dialog = other.page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    await open('/access?id=new');
    await inDialog().getByLabel('Login').fill('carol');
    await inDialog().getByLabel('Password', { exact: false }).last().fill(password);
    await inDialog()
      .getByLabel(/^Viewers/)
      .check();
    await inDialog().getByRole('button', { name: 'Add user' }).click();
    await page().getByRole('heading', { name: 'carol' }).waitFor();

    await other.page.goto(`${origin}/account`);
    await logIn(other.page, 'carol', password);
    await other.page.getByRole('button', { name: 'Turn on one-time codes' }).click();
    await dialog.getByLabel('Current password').fill(password);
    await button('Next').click();
    await dialog.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Code', { exact: true }).fill(oneTimeCode(secret, Date.now()));
    await button('Turn on').click();
    await dialog.getByText('Your recovery codes').waitFor();
    const [recovery = ''] = await dialog.locator('li code').allTextContents();
    await button('I have kept them').click();
    await other.page.getByText('10 recovery codes are left').waitFor();

    await other.context.clearCookies();
    await other.page.goto(`${origin}/account`);
    await other.page.getByLabel('One-time code').fill(recovery);
    await logIn(other.page, 'carol', password);
    await other.page.getByText('9 recovery codes are left').waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
    expect(visitor().complaints).toEqual([]);
  });
}

function deployScenario(window: ConsoleWindow): void {
  const { page, site } = window;
  const { go, inDialog, press } = handsOn(window);

  test('D5: deploy an environment, then roll it back', async () => {
    const deploy = async () => {
      await press('Deploy');
      await inDialog().getByLabel('Environment').selectOption('testing');
      await inDialog().getByText('0 nodes ran with testing').waitFor();
      await inDialog().getByRole('button', { name: 'Deploy' }).click();
      await inDialog().waitFor({ state: 'hidden' });
    };
    await go('Code');
    await deploy();
    await page().getByRole('link', { name: 'testing' }).click();
    await page().getByText('in use').waitFor();
    const version = (await page().locator('li', { hasText: 'in use' }).locator('code').textContent()) ?? '';
    commitCode(site(), 'second');
    await press('Deploy');
    await inDialog().getByRole('button', { name: 'Deploy' }).click();
    await page()
      .getByRole('button', { name: `Roll back to ${version}` })
      .click();
    await inDialog().getByText('until the next deploy').waitFor();
    await inDialog().getByRole('button', { name: 'Roll back' }).click();
    await page().locator('li', { hasText: 'in use' }).getByText(version).waitFor();
    await page().getByRole('link', { name: 'See Activity' }).click();
    await page().getByText('Rolled the environment testing back').waitFor();
  });
}

function joinScenario(window: ConsoleWindow): void {
  const { page, site } = window;
  const { go, inDialog, press } = handsOn(window);

  test('G1 and D12: the lines for agents and servers, and a server that is removed by name', async () => {
    await go('Install agents');
    await page().getByLabel('Alternative names').fill('puppet.example.com');
    await page().getByText('main:dns_alt_names=puppet.example.com').first().waitFor();
    await requestCertificate(site(), 'machine.example.com');
    await page().getByText('machine.example.com: certificate request').waitFor();

    await go('Servers');
    await page().getByRole('table').getByText('primary', { exact: true }).waitFor();
    await press('Add compile server');
    await inDialog().getByLabel('Certname').fill('compile3.example.com');
    await press('Create token');
    await inDialog()
      .getByText(/bunraku compile-server join https:.* --token bunraku\./)
      .waitFor();
    await press('Done');
    const token = page().getByRole('listitem').filter({ hasText: 'compile3.example.com' });
    await token.getByRole('button').click();
    await inDialog().getByRole('button', { name: 'Delete' }).click();
    await token.waitFor({ state: 'detached' });
    await page().getByRole('table').getByRole('link').click();
    await page().getByRole('heading', { name: 'Services' }).waitFor();
    expect(
      await page()
        .getByRole('button', { name: /^(Drain|Remove)$/ })
        .count(),
    ).toBe(0);
  });
}

/** Pages whose pictures are taken, one of each theme and width. */
export const adminPages: Readonly<Record<string, string>> = {
  activity: '/activity',
  change: '/activity/1',
  'access-users': '/access',
  'access-role-new': '/access/roles?id=new',
  'access-tokens': '/access/tokens',
  'access-directories': '/access/directories',
  account: '/account',
  code: '/code',
  environment: '/code/testing',
  servers: '/servers',
  server: '/servers/primary.bunraku.test',
  install: '/install?code=production&names=puppet.example.com',
  settings: '/settings?q=console',
};
