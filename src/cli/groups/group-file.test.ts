import { expect, onTestFinished, test } from 'vitest';
import { rootId, testClassifier } from './classifier.testing.ts';
import type { WireGroup } from './connection.ts';
import { type FileGroup, parseGroups, renderGroups } from './group-file.ts';
import { planGroups } from './group-plan.ts';

const parse = (text: string): readonly FileGroup[] => parseGroups(Buffer.from(text), 'groups.yaml');
const newId = () => 'new';

const root: WireGroup = {
  id: rootId,
  name: 'All Nodes',
  parent: rootId,
  environment: 'production',
  environment_trumps: false,
  rule: ['and', ['~', 'name', '.*']],
  classes: {},
  variables: {},
  config_data: {},
};
const web: WireGroup = {
  ...root,
  id: '1',
  name: 'Web servers',
  description: 'First line\n\nThird: line',
  environment: 'testing',
  environment_trumps: true,
  rule: [
    'or',
    [
      'and',
      ['=', ['trusted', 'extensions', 'pp_role'], 'web'],
      ['not', ['~', ['fact', 'os', 'family'], '^"W']],
    ],
    ['=', 'name', 'web2.test'],
    ['=', 'name', 'web1.test'],
  ],
  classes: { ntp: {}, apache: { port: 80, modules: ['ssl'], text: 'yes', nothing: null } },
  variables: { owner: 'ops' },
  config_data: { apache: { 'log level': '1.0' } },
};

test('a group is written for people: parents first, pins apart, no ids, nothing that is the default', () => {
  const child = { ...root, id: '2', name: 'A child', parent: '1', rule: ['=', 'name', 'x'] };

  expect(renderGroups([child, web, root], [child, web, root])).toBe(`---
groups:
- name: All Nodes
- name: Web servers
  parent: All Nodes
  description: |-
    First line

    Third: line
  environment: testing
  environment_trumps: true
  rule:
  - and
  - ["=",["trusted","extensions","pp_role"],"web"]
  - - not
    - ["~",["fact","os","family"],"^\\"W"]
  pins:
  - web1.test
  - web2.test
  classes:
    apache:
      modules:
      - ssl
      nothing:
      port: 80
      text: 'yes'
    ntp: {}
  variables:
    owner: ops
  config_data:
    apache:
      log level: '1.0'
- name: A child
  parent: Web servers
  pins:
  - x
`);
});

test.each<[string, WireGroup['rule']]>([
  ['no rule', undefined],
  ['a comparison', ['=', ['fact', 'a'], 'b']],
  ['a single pin', ['=', 'name', 'a']],
  ['an "or" of one', ['or', ['=', ['fact', 'a'], 'b']]],
  ['pins before the rest', ['or', ['=', 'name', 'b'], ['~', 'name', '^w'], ['=', 'name', 'a']]],
  ['an "or" beside pins', ['or', ['or', ['~', 'name', 'x'], ['=', 'name', 'c']], ['=', 'name', 'a']]],
  ['a pin twice', ['or', ['=', 'name', 'a'], ['=', 'name', 'a']]],
  [
    'all and nothing',
    ['and', ['or', ['~', 'name', 'é\u2028\\.']], ['not', ['not', ['<', ['fact', 'n', 0], '1']]]],
  ],
])('reading an export again changes nothing: %s', (_, rule) => {
  const { rule: _rule, ...rest } = web;
  const all = [root, rule === undefined ? rest : { ...rest, rule }];

  expect(planGroups(all, parse(renderGroups(all, all)), newId)).toEqual([]);
});

test('groups that have a name in common are written with their ids', () => {
  const all = [
    root,
    web,
    { ...web, id: '2', environment: 'production' },
    { ...root, id: '3', name: 'C', parent: '2' },
  ];
  const text = renderGroups(all, all);

  expect(text).toContain("- name: Web servers\n  id: '2'\n");
  expect(text).toContain("- name: C\n  parent: '2'\n");
  expect(planGroups(all, parse(text), newId)).toEqual([]);
});

test('the groups of a fresh installation are no change when they are read again', async () => {
  const classifier = await testClassifier([], 'primary.test');
  onTestFinished(() => classifier.close());
  const groups = await classifier.groups();

  const text = renderGroups(groups, groups);

  expect(groups.length).toBe(12);
  expect(planGroups(groups, parse(text), newId)).toEqual([]);
  expect(text).toContain(`
- name: PE Master
  parent: PE Infrastructure
  description: The primary and the compile servers.`);
});

test.each([
  ['groups: [', 'groups.yaml: '],
  ['- name: x', 'groups.yaml: the file: '],
  ['groups: [{name: a, colour: red}]', 'groups.yaml: groups.0: Unrecognized key: "colour"'],
  ['groups: [{name: 1}]', 'groups.yaml: groups.0.name: '],
])('a mistake in a file is told with its place: %s', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});
