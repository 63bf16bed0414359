/** Scenarios of a user who may change one group only. */

import { expect, test } from 'vitest';
import type { Site } from '../../test/e2e/support/site.ts';
import { logIn } from './support/browser.ts';
import { askAsOperator, origin, password, usersApi } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';
import { handsOn } from './support/group-hands.ts';

/** A user whose role may change the classes of one group. */
async function createMember(site: Site): Promise<void> {
  const url = `${usersApi.replace('/rbac-api', '')}/classifier-api/v1/groups`;
  const groups = (await askAsOperator(site, 'GET', url)) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const id = groups.find(({ name }) => name === 'Web servers')?.id ?? '';
  const permission = (object_type: string, action: string, instance = '*') => ({
    object_type,
    action,
    instance,
  });
  await askAsOperator(site, 'POST', `${usersApi}/v1/roles`, {
    display_name: 'Web team',
    description: '',
    user_ids: [],
    group_ids: [],
    permissions: [
      permission('console_page', 'view'),
      permission('nodes', 'view_data'),
      permission('node_groups', 'view'),
      permission('node_groups', 'edit_classification', id),
    ],
  });
  const roles = (await askAsOperator(site, 'GET', `${usersApi}/v1/roles`)) as readonly {
    readonly id: number;
    readonly display_name: string;
  }[];
  await askAsOperator(site, 'POST', `${usersApi}/v1/users`, {
    login: 'webmaster',
    display_name: 'Web master',
    email: '',
    role_ids: roles.filter((each) => each.display_name === 'Web team').map((each) => each.id),
    password,
  });
}

export function groupRightsScenario(scene: ConsoleWindow): void {
  const { newVisitor, site } = scene;

  test('D11: a member of a role for one group changes its classes; other groups are read-only and say why', async () => {
    await createMember(site());
    const other = await newVisitor();
    const { group, tab } = handsOn({ page: () => other.page });
    await other.page.goto(`${origin}/login`);
    await logIn(other.page, 'webmaster', password);
    await other.page.getByRole('navigation', { name: 'Pages' }).waitFor();

    await group('PE Agent');
    await other.page.getByText(/^Read-only\. You may not change the rule of this group/).waitFor();
    await tab('Classes');
    await other.page
      .getByText(/Read-only\. You may not change the classes.*node_groups:edit_classification/)
      .waitFor();
    expect(await other.page.getByRole('button', { name: 'Add class' }).count()).toBe(0);
    await group('Web servers');
    await tab('Classes');
    await other.page.getByLabel('Add new class').fill('role::base');
    await other.page.getByRole('button', { name: 'Add class' }).click();
    await other.page.getByRole('button', { name: 'Commit 1 change' }).click();
    await other.page.getByText(/2 nodes changed/).waitFor();
    await other.page.getByRole('button', { name: 'Commit changes' }).click();
    await other.page.getByText('Committed.').waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });
}
