import { expect, test } from 'vitest';
import type { GroupDefinition } from './group-edits.ts';
import { mergedVersions, partName, versionDifferences } from './group-versions.ts';

const linux = ['=', ['fact', 'kernel'], 'Linux'];
const pin = (name: string) => ['=', 'name', name];

const base: GroupDefinition = {
  id: 'a',
  name: 'Web',
  parent: 'root',
  environment: 'production',
  environment_trumps: false,
  rule: ['or', linux, pin('web1')],
  classes: { ntp: { servers: ['a'] } },
  variables: {},
  config_data: {},
  serial_number: 3,
};

test('changes by one side and pins by both merge without a choice', () => {
  const mine = { ...base, name: 'Shops', rule: ['or', linux, pin('web1'), pin('web2')] };
  const theirs = {
    ...base,
    serial_number: 4,
    description: 'the web',
    rule: ['or', linux, pin('web1'), pin('web3')],
    classes: { ntp: { servers: ['a'], panic: 1 } },
  };

  expect(versionDifferences(base, mine, theirs)).toEqual([
    { path: ['name'], mine: 'Shops', theirs: 'Web', changedBy: 'mine' },
    { path: ['pins', 'web2'], mine: true, theirs: undefined, changedBy: 'mine' },
    { path: ['pins', 'web3'], mine: undefined, theirs: true, changedBy: 'theirs' },
    { path: ['classes', 'ntp', 'panic'], mine: undefined, theirs: 1, changedBy: 'theirs' },
    { path: ['description'], mine: undefined, theirs: 'the web', changedBy: 'theirs' },
  ]);
  expect(mergedVersions(base, mine, theirs, () => 'mine')).toEqual({
    ...theirs,
    name: 'Shops',
    rule: ['or', linux, pin('web1'), pin('web2'), pin('web3')],
  });
});

test('when both changed a part, the chosen version of it is kept', () => {
  const mine = { ...base, rule: undefined, classes: {}, variables: { tier: 1, owner: 'me' } };
  const theirs = {
    ...base,
    serial_number: 4,
    rule: pin('web1'),
    classes: { ntp: { servers: ['b'] } },
    variables: { tier: 2, owner: 'me' },
  };

  const differences = versionDifferences(base, mine, theirs);
  expect(differences.map(({ changedBy, path }) => [partName(path), changedBy])).toEqual([
    ['Pin of web1', 'mine'],
    ['Class ntp', 'both'],
    ['Variable tier', 'both'],
  ]);
  const { rule, ...withoutRule } = theirs;
  expect(rule).toBeDefined();
  expect(
    mergedVersions(base, mine, theirs, ({ path: [kind] }) => (kind === 'variables' ? 'mine' : 'theirs')),
  ).toEqual({ ...withoutRule, variables: { tier: 1, owner: 'me' } });
  expect(mergedVersions(base, mine, theirs, () => 'mine').classes).toEqual({});
});

test('an unchanged rule keeps its original text', () => {
  const written = { ...base, rule: ['or', ['or', linux, ['~', 'name', 'db']], pin('web1')] };
  const theirs = { ...written, serial_number: 4, description: 'other' };

  expect(mergedVersions(written, { ...written, name: 'Shops' }, theirs, () => 'mine').rule).toEqual(
    written.rule,
  );
});

test.each([
  [['config_data', 'pe_repo', 'master'], 'Data pe_repo::master'],
  [['classes', 'ntp', 'servers', 'a'], 'Parameter ntp::servers.a'],
  [['comparisons'], 'Rule'],
])('%j is %s', (path, name) => {
  expect(partName(path)).toBe(name);
});
