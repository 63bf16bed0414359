import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../command.ts';
import { runCommand } from '../run-command.testing.ts';
import { testClassifier } from './classifier.testing.ts';
import { PreviewWire } from './differences.ts';
import { type FileGroup, parseGroups } from './group-file.ts';
import { planGroups } from './group-plan.ts';
import { groupsApplyCommand, groupsPlanCommand, planLines } from './plan.ts';

const parse = (text: string): readonly FileGroup[] => parseGroups(Buffer.from(text), 'groups.yaml');
const ids = { next: 0 };
const newId = () => `22222222-2222-4222-8222-${String((ids.next += 1)).padStart(12, '0')}`;

/** A classifier with two groups and two nodes. */
async function start() {
  const classifier = await testClassifier([
    { name: 'db1.test', fact: { role: 'db' } },
    { name: 'web1.test', fact: { role: 'web' } },
  ]);
  onTestFinished(() => classifier.close());
  const apply = async (text: string) => {
    const current = await classifier.groups();
    const planned = planGroups(current, parse(text), newId);
    const body = { groups: planned.map(({ after }) => after) };
    const preview = PreviewWire.parse(await classifier.ask('POST', 'commands/preview-groups', body));
    const lines = planLines(current, planned, preview);
    const changed = await classifier.ask('POST', 'commands/change-groups', body);
    return { lines, changed };
  };
  const first = await apply(`
groups:
- name: Web
  rule: ["=", [fact, role], web]
  pins: [db1.test]
  classes: {apache: {port: 80}}
`);
  return { classifier, apply, first };
}

test('a plan shows what is new, and the nodes that change', async () => {
  const { first } = await start();

  expect(first.lines).toEqual([
    '1 group to change:',
    '  + Web',
    '    + name: "Web"',
    '    + parent: "All Nodes"',
    '    + environment: "production"',
    '    + rule: ["=",["fact","role"],"web"]',
    '    + pin db1.test',
    '    + class apache',
    '    + apache::port: 80',
    '2 of 2 nodes to change:',
    '  db1.test',
    '    + group Web',
    '    + class apache',
    '    + apache::port: 80',
    '  web1.test',
    '    + group Web',
    '    + class apache',
    '    + apache::port: 80',
  ]);
});

test('a renamed group keeps its id, and pins that the file does not name', async () => {
  const { apply, classifier } = await start();
  const [, before] = await classifier.groups();
  const file = `
groups:
- name: Web servers
  formerly: Web
  rule: ["=", [fact, role], web]
  environment: testing
  classes: {apache: {port: 81}}
`;

  const { lines } = await apply(file);
  const [, after] = await classifier.groups();
  const again = planGroups(await classifier.groups(), parse(file), newId);

  expect(lines).toEqual([
    '1 group to change:',
    '  ~ Web, renamed to Web servers',
    '    ~ name: "Web" -> "Web servers"',
    '    ~ environment: "production" -> "testing"',
    '    ~ apache::port: 80 -> 81',
    '2 of 2 nodes to change:',
    '  db1.test',
    '    - group Web',
    '    + group Web servers',
    '    ~ environment: "production" -> "testing"',
    '    ~ apache::port: 80 -> 81',
    '  web1.test',
    '    - group Web',
    '    + group Web servers',
    '    ~ environment: "production" -> "testing"',
    '    ~ apache::port: 80 -> 81',
  ]);
  expect(after).toMatchObject({ id: before?.id, name: 'Web servers', rule: before?.rule, serial_number: 2 });
  expect(again).toEqual([]);
});

test('groups that no file names stay as they are', async () => {
  const { apply, classifier } = await start();
  const web = (await classifier.groups()).find(({ name }) => name === 'Web');

  await apply('groups: [{name: A, parent: Web}]');
  await apply('groups: [{name: A, parent: B}, {name: B, parent: Web}]');
  const groups = await classifier.groups();

  expect(groups.map(({ name }) => name)).toEqual(['A', 'All Nodes', 'B', 'Web']);
  expect(groups.find(({ name }) => name === 'B')?.parent).toBe(web?.id);
  expect(groups.find(({ name }) => name === 'Web')).toEqual(web);
  const current = await classifier.groups();
  const planned = planGroups(current, parse('groups: [{name: A, parent: B}]'), newId);
  expect(planLines(current, planned, { total: 0, nodes: [] })).toEqual([
    'Nothing to do: the groups are as the files have them',
  ]);
});

test('what a file leaves out of a group goes, except for pins; a list of no pins unpins all', async () => {
  const { apply, classifier } = await start();

  await apply('groups: [{name: Web}]');
  const pinned = (await classifier.groups()).find(({ name }) => name === 'Web');
  await apply('groups: [{name: Web, pins: []}]');
  const empty = (await classifier.groups()).find(({ name }) => name === 'Web');

  expect(pinned).toMatchObject({ rule: ['or', ['=', 'name', 'db1.test']], classes: {} });
  expect(empty).not.toHaveProperty('rule');
});

test('with `rest: people`, fields that the file does not name stay as people set them', async () => {
  const { apply, classifier } = await start();
  await apply(`
groups:
- name: Web
  rule: ["=", [fact, role], web]
  description: Ours
  environment: testing
  classes: {apache: {port: 80, mpm: worker}, ntp: {}, old: {}}
  variables: {owner: ops, spare: 1}
  config_data: {ssh: {port: 22, x11: false}}
`);
  const file = `
groups:
- name: Web
  rest: people
  classes: {apache: {port: 81}, php:}
  variables: {tier: 2}
  config_data: {ssh: {port: 23}}
  remove:
    classes: [old, never]
    parameters: {apache: [mpm]}
    variables: [spare]
    config_data: {ssh: [x11], never: [x]}
`;

  const { lines } = await apply(file);

  expect(lines.slice(0, 8)).toEqual([
    '1 group to change:',
    '  ~ Web',
    '    - class old',
    '    + class php',
    '    ~ apache::port: 80 -> 81',
    '    - apache::mpm: "worker"',
    '    - variable spare: 1',
    '    + variable tier: 2',
  ]);
  const web = (await classifier.groups()).find(({ name }) => name === 'Web');
  expect(web).toMatchObject({
    description: 'Ours',
    environment: 'testing',
    rule: ['or', ['=', ['fact', 'role'], 'web'], ['=', 'name', 'db1.test']],
  });
  expect(web?.classes).toEqual({ apache: { port: 81 }, ntp: {}, php: {} });
  expect(web?.variables).toEqual({ owner: 'ops', tier: 2 });
  expect(web?.config_data).toEqual({ ssh: { port: 23 } });
  expect(planGroups(await classifier.groups(), parse(file), newId)).toEqual([]);
});

test('a group created from a file has the values of the file', async () => {
  const { apply, classifier } = await start();

  await apply('groups: [{name: A, parent: Web, rest: people}]');
  await apply('groups: [{name: A, rest: people, variables: {a: 1}}]');

  const [group, , web] = await classifier.groups();
  expect(group).toMatchObject({ name: 'A', parent: web?.id, environment: 'production', variables: { a: 1 } });
});

test.each([
  ['groups: [{name: Web, remove: {classes: [a]}}]', 'The file has all of Web'],
  [
    'groups: [{name: Web, rest: people, variables: {a: 1}, remove: {variables: [a]}}]',
    'removes variable a of Web',
  ],
  ['groups: [{name: Web}, {name: Web}]', 'The files name the group Web twice'],
  ['groups: [{name: A, parent: Nowhere}]', 'The parent of A, Nowhere, does not exist'],
])('%s is refused', async (text, message) => {
  const { classifier } = await start();
  const current = await classifier.groups();

  expect(() => planGroups(current, parse(text), newId)).toThrow(message);
});

test('a mistake on the command line does not give exit code 2, which means changes', async () => {
  await expect(runCommand(groupsPlanCommand)).rejects.toThrow(new Error('name a file'));
  await expect(runCommand(groupsPlanCommand)).rejects.not.toBeInstanceOf(UsageError);
  await expect(runCommand(groupsApplyCommand)).rejects.toThrow(new UsageError('name a file'));
});
