import { expect, onTestFinished, test } from 'vitest';
import { rootId, testClassifier } from '../groups/classifier.testing.ts';
import { ExplanationWire, givenItems, memberships } from './explanation.ts';

const web = { name: 'web1.test', fact: { os: { family: 'Debian' }, memory: 8 } };

/** @param groups - each is below the one before unless it names its parent */
async function explained(groups: readonly Readonly<Record<string, unknown>>[]) {
  const client = await testClassifier([web]);
  onTestFinished(() => client.close());
  let parent = rootId;
  for (const group of groups) {
    await client.ask('POST', 'groups', { parent, classes: {}, ...group });
    const made = (await client.groups()).find(({ name }) => name === group['name']);
    if (group['parent'] === undefined) parent = made?.id ?? '';
  }
  const explanation = ExplanationWire.parse(
    await client.ask('POST', `classified/nodes/${web.name}/explanation?facts=stored`),
  );
  const all = await client.groups();
  const why = memberships(explanation, all).map((each) => [each.group, each.why]);
  return { why, items: givenItems(explanation, all) };
}

const debian = ['=', ['fact', 'os', 'family'], 'Debian'];
const large = ['>=', ['fact', 'memory'], '4'];

test('groups are shown with the branch of the rule that matches, or the pin', async () => {
  const { why } = await explained([
    { name: 'Linux', rule: ['or', debian, ['=', ['fact', 'os', 'family'], 'RedHat']] },
    { name: 'Pinned', rule: ['or', ['=', 'name', 'web1.test']] },
    {
      name: 'Both',
      rule: ['or', ['and', debian, ['not', ['~', 'name', '^db']], large], ['=', 'name', 'web1.test']],
    },
    { name: 'Others', rule: ['=', 'name', 'web2.test'] },
  ]);

  expect(why).toEqual([
    ['All Nodes', ['name ~ ".*" ("web1.test")']],
    [
      'Both',
      ['fact.os.family = "Debian" and not (name ~ "^db" ("web1.test")) and fact.memory >= "4" (8)', 'pinned'],
    ],
    ['Linux', ['fact.os.family = "Debian"']],
    ['Pinned', ['pinned']],
  ]);
});

test('each class, parameter and variable is shown with the group that says so', async () => {
  const { items } = await explained([
    {
      name: 'Upper',
      rule: debian,
      classes: { ntp: { servers: ['a'], panic: 1 } },
      variables: { owner: 'ops' },
      config_data: { apache: { port: 80 } },
    },
    { name: 'Lower', rule: debian, classes: { ntp: { panic: 2 }, web: {} }, environment: 'testing' },
  ]);

  expect(items).toEqual([
    { kind: 'environment', name: 'testing', value: '', from: ['Lower'] },
    { kind: 'class', name: 'ntp', value: '', from: ['Lower', 'Upper'] },
    { kind: 'class', name: 'web', value: '', from: ['Lower'] },
    { kind: 'parameter', name: 'ntp::panic', value: '2', from: ['Lower'] },
    { kind: 'parameter', name: 'ntp::servers', value: '["a"]', from: ['Upper'] },
    { kind: 'variable', name: 'owner', value: '"ops"', from: ['Upper'] },
    { kind: 'data', name: 'apache::port', value: '80', from: ['Upper'] },
  ]);
});

test('where groups contradict each other, all values are shown', async () => {
  const { items } = await explained([
    { name: 'A', parent: rootId, rule: debian, variables: { owner: 'a' } },
    {
      name: 'B',
      parent: rootId,
      rule: debian,
      variables: { owner: 'b' },
      environment: 'testing',
      environment_trumps: true,
    },
  ]);

  expect(items).toEqual([
    { kind: 'environment', name: 'testing', value: '', from: ['B'] },
    { kind: 'variable', name: 'owner', value: '"a"', from: ['A'] },
    { kind: 'variable', name: 'owner', value: '"b"', from: ['B'] },
  ]);
});
