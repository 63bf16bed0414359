/** What people do with node groups: pins, rules, classes, data; the names are those of the workflows. */

import { expect, test } from 'vitest';
import { changeGroup } from './support/console-site.ts';
import type { ConsoleWindow } from './support/console-window.ts';
import { linkTo } from './support/group-links.ts';
import { lookHere } from './support/page-looks.ts';

interface Steps extends ConsoleWindow {
  /** Goes to Classification, from where it is, and opens these groups one after another. */
  readonly classify: (...groups: readonly string[]) => Promise<void>;
  /** Commits once the preview says the effect. */
  readonly commit: (label: string, effect: RegExp) => Promise<void>;
}

export function classificationScenarios(window: ConsoleWindow): void {
  const steps = { ...window, ...handsOn(window) };
  infrastructureScenarios(steps);
  groupScenarios(steps);
  ruleScenarios(steps);
}

function handsOn({ page }: ConsoleWindow): Pick<Steps, 'classify' | 'commit'> {
  return {
    async classify(...groups) {
      await page()
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Classification' })
        .click();
      for (const group of groups)
        await page()
          .getByRole('navigation', { name: 'Node groups' })
          .getByRole('link', { name: linkTo(group) })
          .click();
    },
    async commit(label, effect) {
      await page().getByRole('button', { name: label, exact: true }).click();
      await page().getByText(effect).waitFor();
      await page().getByRole('button', { name: 'Commit changes' }).click();
      await page().getByRole('dialog').waitFor({ state: 'hidden' });
    },
  };
}

function infrastructureScenarios({ classify, commit, page, tab }: Steps): void {
  test('G2: pin a node to PE Master', async () => {
    await classify('PE Infrastructure', 'PE Master');
    await tab('Rules');
    await page().getByLabel('Certname').fill('web01.e2e.test');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await commit('Commit 1 change', /1 node gained/);
    await tab('Matching nodes');
    await page().getByRole('table').getByText('web01.e2e.test').waitFor();
  });

  test('G3: the address of the pool, as data', async () => {
    await classify('PE Master');
    await tab('Configuration');
    const data = page().getByRole('region', { name: 'Data' });
    await data.getByLabel('Class').fill('pe_repo');
    await data.getByLabel('Parameter').fill('compile_master_pool_address');
    await data.getByLabel('Value').fill('puppet.example.com');
    await data.getByRole('button', { name: 'Add data' }).click();
    await commit('Commit 1 change', /2 nodes changed/);
    await data.getByText('puppet.example.com').waitFor();
  });

  test('G6 and G7: brokers and servers of agents, several changes in one commit', async () => {
    await classify('PE Agent');
    await tab('Configuration');
    const agent = page().getByRole('region', { name: 'Class puppet_enterprise::profile::agent' });
    const values = {
      pcp_broker_list: '["balancer.example.com:8142"]',
      master_uris: '["balancer.example.com"]',
    };
    for (const [parameter, value] of Object.entries(values)) {
      await agent.getByLabel('Parameter').fill(parameter);
      await agent.getByLabel('Value').fill(value);
      await agent.getByRole('button', { name: 'Add parameter' }).click();
    }
    await page().getByRole('button', { name: 'Commit 2 changes' }).waitFor();
    await agent.getByRole('button', { name: 'Remove master_uris' }).click();
    await commit('Commit 1 change', /7 nodes changed/);

    // The primary first, then the group, as one job.
    await page().getByRole('button', { name: 'Run Puppet on 7 nodes' }).click();
    const dialog = page().getByRole('dialog');
    const order = dialog.getByLabel('In order: first primary.bunraku.test, then the others');
    expect(await order.isChecked()).toBe(true);
    const [asked] = await Promise.all([
      page().waitForRequest(/\/command\/deploy$/),
      dialog.getByRole('button', { name: 'Run on 7 nodes' }).click(),
    ]);
    expect(asked.postDataJSON()).toMatchObject({
      order: [['primary.bunraku.test'], expect.arrayContaining(['web01.e2e.test'])],
    });
    // It ends by itself: no agent is connected there.
    await page().getByText('7 nodes in 2 stages').waitFor();
  });
}

function groupScenarios({ classify, commit, page, tab }: Steps): void {
  test('G9 and G8: a new group below PE Master with pinned nodes, a class and a parameter', async () => {
    await classify();
    await page().getByLabel('Node group name').fill('Compile Masters');
    await page().getByLabel('Parent name').selectOption('PE Master');
    await page().getByRole('button', { name: 'Add group' }).click();
    await page().getByRole('heading', { name: 'Compile Masters' }).waitFor();
    await page().getByLabel('Certname').fill('web01.e2e.test');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await tab('Classes');
    await page().getByLabel('Add new class').fill('pe_repo');
    await page().getByRole('button', { name: 'Add class' }).click();
    const repository = page().getByRole('region', { name: 'Class pe_repo' });
    await repository.getByLabel('Parameter').fill('master');
    await repository.getByLabel('Value').fill('master.example.com');
    await repository.getByRole('button', { name: 'Add parameter' }).click();
    await page().reload();
    await commit('Commit 4 changes', /1 node gained/);
    await tab('Matching nodes');
    await page().getByRole('table').getByText('web01.e2e.test').waitFor();
  });
}

function ruleScenarios({ classify, commit, page, site, tab, visitor }: Steps): void {
  test('G10: lists of who is allowed, and a rule on a fact that certificates prove', async () => {
    await classify('PE Certificate Authority');
    await tab('Configuration');
    const data = page().getByRole('region', { name: 'Data' });
    await data.getByLabel('Class').fill('puppet_enterprise::profile::certificate_authority');
    await data.getByLabel('Parameter').fill('client_whitelist');
    await data.getByLabel('Value').fill('["aws-lambda.example.com"]');
    await data.getByRole('button', { name: 'Add data' }).click();
    await page()
      .getByRole('navigation', { name: 'Node groups' })
      .getByRole('link', { name: linkTo('PE Master') })
      .click();
    await tab('Rules');
    const rule = page().getByRole('region', { name: 'Rule' });
    await rule.getByLabel('Fact').fill('pp_role');
    await rule.getByLabel('Value').fill('awsloadbalancer');
    await rule.getByRole('button', { name: 'Add rule' }).click();
    await rule.getByText('Nodes can claim this').waitFor();
    await rule.getByRole('button', { name: 'Remove pp_role = awsloadbalancer' }).click();
    await rule.getByLabel('Fact').fill('trusted.extensions.pp_role');
    await rule.getByLabel('Value').fill('awsloadbalancer');
    await rule.getByRole('button', { name: 'Add rule' }).click();
    await rule.getByText('Matches 1 node').waitFor();
    await commit('Commit 2 changes', /nodes? checked/);
  });

  test('a group that somebody else has changed is not overwritten: both versions are compared and merged', async () => {
    await classify('PE Agent');
    await page().getByLabel('Certname').fill('new.example.com');
    await page().getByRole('button', { name: 'Pin node' }).click();
    await page().getByRole('button', { name: 'Edit group' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Description').fill('mine');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page().getByRole('button', { name: 'Commit 2 changes' }).waitFor();
    await changeGroup(site(), 'PE Agent', { description: 'theirs', variables: { owner: 'them' } });

    const versions = page().getByRole('region', { name: 'Changed meanwhile' });
    await versions.getByRole('row', { name: 'Description mine theirs' }).waitFor();
    await versions.getByRole('row', { name: 'Variable owner nothing them theirs' }).waitFor();
    await versions.getByRole('row', { name: 'Pin of new.example.com pinned not pinned yours' }).waitFor();
    expect(await page().getByRole('button', { name: 'Commit 2 changes' }).isDisabled()).toBe(true);
    expect(await lookHere({ page, visitor }, 'group-versions')).toEqual({});
    await versions.getByLabel('Keep of Description').selectOption('Theirs');
    await versions.getByRole('button', { name: 'Merge both' }).click();
    await versions.waitFor({ state: 'detached' });
    await page().getByRole('article').getByText('theirs', { exact: true }).waitFor();
    await commit('Commit 1 change', /nodes? checked/);
    await tab('Variables');
    await page().getByText('them').waitFor();
  });
}
