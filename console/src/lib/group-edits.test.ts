import { expect, test } from 'vitest';
import { editsBetween, type GroupDefinition, typedValue, withoutValue, withValue } from './group-edits.ts';

const group: GroupDefinition = {
  id: 'a',
  name: 'Web',
  parent: 'root',
  environment: 'production',
  environment_trumps: false,
  classes: { ntp: { servers: ['a'] } },
  variables: {},
  config_data: {},
};

test('each thing that differs is one sentence', () => {
  const after = {
    ...group,
    rule: ['or', ['=', ['fact', 'kernel'], 'Linux'], ['=', 'name', 'web1']],
    classes: { ntp: { servers: ['b'], panic: 0 }, motd: {} },
    config_data: { pe_repo: { master: 'm' } },
    variables: { tier: 1 },
  };

  expect(editsBetween(group, after)).toEqual([
    'Pin web1',
    'Change the rule',
    'Set the parameter ntp::servers to ["b"]',
    'Set the parameter ntp::panic to 0',
    'Add the class motd',
    'Set the data pe_repo::master to "m"',
    'Set the variable tier to 1',
  ]);
  expect(editsBetween(after, group)).toContain('Unpin web1');
  expect(editsBetween(after, group)).toContain('Remove the class motd');
  expect(editsBetween(group, group)).toEqual([]);
});

test('name, parent and environment are edits, too', () => {
  const after = {
    ...group,
    name: 'Shops',
    parent: 'all',
    environment: 'testing',
    environment_trumps: true,
    description: 'Sells',
  };

  expect(editsBetween(group, after, (id) => `the group ${id}`)).toEqual([
    'Change the name to Shops',
    'Move below the group all',
    'Change the environment to testing',
    'Override the environment of other groups',
    'Change the description',
  ]);
});

test('a pin beside comparisons does not change them', () => {
  const any = ['or', ['=', ['fact', 'x'], '1'], ['=', ['fact', 'x'], '2']];
  const pinned = ['or', ['or', ['=', ['fact', 'x'], '1'], ['=', ['fact', 'x'], '2']], ['=', 'name', 'a']];

  expect(editsBetween({ ...group, rule: any }, { ...group, rule: pinned })).toEqual(['Pin a']);
});

test('a new group is one change, and what it has are others', () => {
  expect(editsBetween(undefined, { ...group, classes: {} })).toEqual(['Add the group Web']);
  expect(editsBetween(undefined, group)).toContain('Add the class ntp');
});

test('values are JSON where they can be', () => {
  expect(typedValue('["a:1"]')).toEqual(['a:1']);
  expect(typedValue('true')).toBe(true);
  expect(typedValue('puppet.example.com')).toBe('puppet.example.com');
});

test('values come and go without changing others', () => {
  expect(withValue({ a: { x: 1 } }, 'a', 'y', 2)).toEqual({ a: { x: 1, y: 2 } });
  expect(withoutValue({ a: { x: 1 } }, 'a', 'x', true)).toEqual({});
  expect(withoutValue({ a: { x: 1 } }, 'a', 'x', false)).toEqual({ a: {} });
});
