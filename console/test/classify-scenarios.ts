/** Scenarios: changing the rules, classes and data of groups. */

import { expect, test } from 'vitest';
import { changeGroup, connectNode } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';
import { handsOn } from './support/group-hands.ts';
import { groupAddress } from './support/group-links.ts';
import { handsOnKeys } from './support/keys.ts';
import { lookAt, lookHere } from './support/page-looks.ts';

export function classifyScenarios(scene: ConsoleWindow): void {
  ruleScenario(scene);
  typeScenario(scene);
  commitScenario(scene);
  missingScenario(scene);
  groupScenario(scene);
  creationScenario(scene);
  activityScenario(scene);
  pictureScenario(scene);
}

function ruleScenario(scene: ConsoleWindow): void {
  const { open, page } = scene;
  const { addGroup, commit, dialog, group, press } = handsOn(scene);
  const { choose, enter, type } = handsOnKeys(scene);

  test('by keyboard: a nested rule, with the number of matching nodes while typing', async () => {
    await group('All Nodes');
    await addGroup('Web servers', 'All Nodes');
    const rule = page().getByRole('region', { name: 'Rule', exact: true });
    await type(rule.getByLabel('Fact'), 'kernel');
    await type(rule.getByLabel('Value'), 'Linux');
    await rule.getByText('Matches 6 nodes').waitFor();
    await enter(rule.getByRole('button', { name: 'Add rule' }));
    await enter(page().getByRole('button', { name: 'Add nested rule' }));
    const nested = rule.getByRole('listitem', { name: 'New nested rule' });
    await type(nested.getByLabel('Fact'), 'trusted.certname');
    await choose(nested.getByLabel('Operator'), '~');
    await type(nested.getByLabel('Value'), '^web01');
    await rule.getByText('Matches 1 node').waitFor();
    await enter(nested.getByRole('button', { name: 'Add rule' }));
    const inner = rule.getByRole('listitem', { name: /^Nested rule: any of/ });
    await type(inner.getByLabel('Fact'), 'trusted.certname');
    await type(inner.getByLabel('Value'), 'web02.e2e.test');
    await rule.getByText('Matches 2 nodes').waitFor();
    await enter(inner.getByRole('button', { name: 'Add rule' }));
    await page().getByRole('region', { name: 'Inherited rules' }).getByText('every node').waitFor();
    await commit('Commit 2 changes', /2 nodes gained/);

    await page().reload();
    await rule.getByText('trusted.certname = web02.e2e.test').waitFor();
    await rule.getByText('Matches 2 nodes').waitFor();

    await page().getByRole('link', { name: '2 nodes in Web servers' }).click();
    const nodes = page().getByRole('table', { name: 'Matching nodes' });
    await nodes.getByRole('link', { name: 'web02.e2e.test' }).waitFor();
    expect(await nodes.getByRole('link').count()).toBe(2);
  });

  test('Use in rule adds a fact from a node page and from the Facts page', async () => {
    await open('/nodes/web04.e2e.test?tab=facts&find=kernel');
    await press('Use in rule: kernel Linux');
    expect(await lookHere(scene, 'use-in-rule')).toEqual({});
    await dialog().getByLabel('Node group').selectOption('Web servers');
    await dialog().getByLabel('Operator').selectOption('!=');
    await press('Open the rule');
    const rule = page().getByRole('region', { name: 'Rule', exact: true });
    // The nested rule has fields of its own.
    expect(await rule.getByLabel('Fact').last().inputValue()).toBe('kernel');
    expect(await rule.getByLabel('Value').last().inputValue()).toBe('Linux');
    await rule.getByText('Matches 0 nodes').waitFor();

    await open('/facts?path=virtual');
    await press('Use in rule: virtual kvm');
    await dialog().getByLabel('Node group').selectOption('Web servers');
    await press('Open the rule');
    await rule.getByText('Matches 2 nodes').waitFor();
    await rule.getByRole('button', { name: 'Add rule' }).last().click();
    await press('Commit 1 change');
    await dialog()
      .getByText(/No node changes/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Go on editing' }).click();
    await press('Discard');
  });
}

function typeScenario(scene: ConsoleWindow): void {
  const { page } = scene;
  const { group, press, tab } = handsOn(scene);

  test('G6: a broker without a port is refused at the field; types and comments come from the code', async () => {
    await group('PE Infrastructure Agent');
    await tab('Configuration');
    const classes = page().getByRole('region', { name: 'Classes' });
    await classes.getByLabel('Add new class').fill('puppet_enterprise::profile::agent');
    await classes.getByRole('button', { name: 'Add class' }).click();
    const agent = page().getByRole('region', { name: 'Class puppet_enterprise::profile::agent' });
    await agent.getByLabel('Parameter').fill('pcp_broker_list');
    await agent.getByText('Brokers as `host:port`, in order of preference.').waitFor();
    await agent.getByLabel('Value').fill('["master.example.com"]');
    await agent.getByText(/"master\.example\.com": This does not match/).waitFor();
    expect(await agent.getByRole('button', { name: 'Add parameter' }).isDisabled()).toBe(true);
    await agent.getByLabel('Value').fill('["master.example.com:8142"]');
    await agent.getByRole('button', { name: 'Add parameter' }).click();
    await agent.getByText('["master.example.com:8142"]').waitFor();
    await press('Discard');
  });
}

function commitScenario(scene: ConsoleWindow): void {
  const { page, site } = scene;
  const { dialog, group, press, tab } = handsOn(scene);

  test('a commit compares catalogs before, and runs Puppet on its nodes after', async () => {
    const node = await connectNode(site(), 'web01.e2e.test');
    await group('Web servers');
    await tab('Classes');
    const classes = page().getByRole('region', { name: 'Classes' });
    await classes.getByLabel('Add new class').fill('profile::base');
    await classes.getByRole('button', { name: 'Add class' }).click();
    const base = page().getByRole('region', { name: 'Class profile::base' });
    await base.getByLabel('Parameter').fill('contact');
    await base.getByText('Whom to ask about this node.').waitFor();
    await base.getByLabel('Value').fill('web@example.com');
    await base.getByRole('button', { name: 'Add parameter' }).click();
    await press('Commit 2 changes');
    await dialog()
      .getByText(/2 nodes changed/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Compare the catalogs of 2 nodes' }).click();
    // Code includes the class before the group declares it with a parameter: Puppet refuses that.
    await dialog()
      .getByText(/Duplicate declaration: Class\[Profile::Base\]/)
      .first()
      .waitFor();
    await dialog().getByRole('button', { name: 'Go on editing' }).click();
    await page().getByRole('button', { name: 'Remove the class profile::base' }).click();
    await tab('Configuration');
    const data = page().getByRole('region', { name: 'Data' });
    await data.getByLabel('Class').fill('profile::base');
    await data.getByLabel('Parameter').fill('contact');
    await data.getByLabel('Value').fill('web@example.com');
    await data.getByRole('button', { name: 'Add data' }).click();
    await press('Commit 1 change');
    await dialog().getByRole('button', { name: 'Compare the catalogs of 2 nodes' }).click();
    const differences = dialog().getByRole('region', { name: 'Catalog differences' });
    await differences.getByText('Class[Profile::Base]').first().waitFor();
    await differences.getByText('web@example.com').first().waitFor();
    await dialog().getByRole('button', { name: 'Commit changes' }).click();

    await press('Run Puppet on 2 nodes');
    await dialog().getByRole('button', { name: 'Run on 2 nodes' }).click();
    await page()
      .getByRole('heading', { name: /^Run Puppet \(job \d+\)$/ })
      .waitFor();
    (await node.next()).end({ kind: 'apply_result', status: 'unchanged', exitcode: 0 });
    node.close();

    await scene.open('/nodes/web02.e2e.test?tab=groups&lookup=profile::base::contact');
    const answer = page().getByRole('region', { name: 'Where it comes from' });
    await answer.getByRole('listitem').filter({ hasText: 'Web servers' }).getByText('used').waitFor();
  });
}

function missingScenario(scene: ConsoleWindow): void {
  const { page } = scene;
  const { commit, group, tab } = handsOn(scene);

  test('a class that is not in the code is kept, and marked', async () => {
    await group('Web servers');
    await tab('Classes');
    const classes = page().getByRole('region', { name: 'Classes' });
    await classes.getByLabel('Add new class').fill('gone');
    await classes.getByRole('button', { name: 'Add class' }).click();
    await commit('Commit 1 change', /2 nodes changed/);
    await page().getByRole('region', { name: 'Class gone' }).getByText('not in the code').waitFor();
    await page().getByRole('button', { name: 'Remove the class gone' }).click();
    await commit('Commit 1 change', /2 nodes changed/);
  });
}

function groupScenario(scene: ConsoleWindow): void {
  const { page } = scene;
  const { addGroup, commit, dialog, group, press } = handsOn(scene);

  test('a group is moved, renamed, and deleted', async () => {
    await group('All Nodes');
    await addGroup('Shops', 'All Nodes');
    await page().getByLabel('Certname').fill('web03.e2e.test');
    await press('Pin node');
    await press('Edit group');
    await dialog().getByLabel('Node group name').fill('Web shops');
    await dialog().getByLabel('Parent name').selectOption('Web servers');
    await dialog().getByLabel('Environment', { exact: false }).first().fill('production');
    await dialog().getByRole('button', { name: 'Apply' }).click();
    await page().getByRole('heading', { name: 'Web shops', exact: true }).waitFor();
    await commit('Commit 2 changes', /No node changes/);

    await group('Web servers');
    await press('Delete group');
    await dialog().getByText('Move or delete the groups below it first: Web shops').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await group('Web shops');
    await press('Delete group');
    await dialog().getByRole('button', { name: 'Delete group' }).click();
    await page().getByRole('button', { name: 'Commit 1 change' }).waitFor();
    // Nothing that somebody else has changed meanwhile is deleted without being shown.
    await changeGroup(scene.site(), 'Web shops', { variables: { owner: 'them' } });
    const edits = page().getByRole('region', { name: 'Edits' });
    await edits.getByText('Another user has changed Web shops').waitFor();
    expect(await page().getByRole('button', { name: 'Commit 1 change' }).isDisabled()).toBe(true);
    await edits.getByRole('link', { name: 'Web shops' }).click();
    await page().getByRole('row', { name: 'Variable owner nothing them' }).waitFor();
    expect(await lookHere(scene, 'group-changed-deletion')).toEqual({});
    await press('Delete it anyway');
    await commit('Commit 1 change', /No node changes/);
    expect(
      await page()
        .getByRole('link', { name: /^Web shops/ })
        .count(),
    ).toBe(0);
  });
}

function creationScenario(scene: ConsoleWindow): void {
  const { page } = scene;
  const { addGroup, commit, dialog, group, press, tab } = handsOn(scene);

  test('reverting the creation of a group shows what was changed since, and deletes that version', async () => {
    await group('All Nodes');
    await addGroup('Kiosks', 'All Nodes');
    await commit('Commit 1 change', /No node changes/);
    await changeGroup(scene.site(), 'Kiosks', { variables: { owner: 'them' } });
    await tab('Activity');
    const activity = page().getByRole('region', { name: 'Activity' });
    await activity.getByRole('link', { name: /^Created the "Kiosks" group/ }).click();
    await activity.getByRole('button', { name: 'Revert' }).click();
    await dialog().getByRole('rowheader', { name: 'variables.owner' }).waitFor();
    await dialog()
      .getByText(/0 nodes change/)
      .waitFor();
    await changeGroup(scene.site(), 'Kiosks', { variables: { owner: 'others' } });
    await press('Delete Kiosks');
    await dialog()
      .getByText(/has changed: its serial number is 3, not 2/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    scene.visitor().complaints.splice(0); // the deletion was refused
    await activity.getByRole('button', { name: 'Revert' }).click();
    await press('Delete Kiosks');
    await page().getByText('There is no such group').waitFor();
  });
}

function activityScenario(scene: ConsoleWindow): void {
  const { page } = scene;
  const { commit, dialog, group, tab } = handsOn(scene);

  test('D4: the record of a group has the difference, and the way back', async () => {
    await group('Web servers');
    await tab('Variables');
    await page().getByLabel('Variable', { exact: true }).fill('tier');
    await page().getByLabel('Value').fill('web');
    await page().getByRole('button', { name: 'Add variable' }).click();
    await commit('Commit 1 change', /2 nodes changed/);
    await tab('Activity');
    const activity = page().getByRole('region', { name: 'Activity' });
    await activity
      .getByRole('link', { name: 'Added the variable "tier" to the "Web servers" group' })
      .click();
    await activity.getByRole('rowheader', { name: 'variables.tier' }).waitFor();
    const previews: string[] = [];
    const note = (request: { readonly url: () => string }) => {
      if (request.url().endsWith('/preview-groups')) previews.push(request.url());
    };
    page().on('request', note);
    await activity.getByRole('button', { name: 'Revert' }).click();
    await dialog()
      .getByText(/2 nodes change/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Commit changes' }).click();
    await activity
      .getByRole('link', { name: 'Removed the variable "tier" from the "Web servers" group' })
      .waitFor();
    await activity
      .getByRole('link', { name: 'Added the variable "tier" to the "Web servers" group' })
      .waitFor();
    // A preview of what has been reverted would be refused.
    expect(previews).toHaveLength(1);

    await activity.getByRole('link', { name: /data of the class "profile::base"/ }).click();
    await activity.getByRole('button', { name: 'Revert' }).click();
    await dialog()
      .getByText(/2 nodes change/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    // It starts from the current group, not from the one before the first change.
    expect(previews).toHaveLength(2);
    page().off('request', note);
  });
}

function pictureScenario(window: ConsoleWindow): void {
  test('groups and explanations, in both themes, wide and narrow', async () => {
    const web = await groupAddress(window, 'Web servers');

    const found = await lookAt(window, {
      'node-lookup': '/nodes/web02.e2e.test?tab=groups&lookup=website::pages',
      'node-why-here': '/nodes/web02.e2e.test?tab=catalog&find=Base&resource=Class[Profile::Base]&why=1',
      'environment-lookup': '/code/production?tab=lookup&node=web02.e2e.test&key=profile::base::contact',
      'group-nested': web,
      'group-classes': `${await groupAddress(window, 'PE Agent')}?tab=classes`,
      'group-activity': `${web}?tab=activity`,
    });

    expect(found).toEqual({});
  });
}
