import { expect, test } from 'vitest';
import { givingGroups, lineage, matchedTerms, type NamedGroup, reasonsOf } from './classification.ts';

const group = (id: string, parent: string, classes: NamedGroup['classes'] = {}): NamedGroup => ({
  id,
  name: `Group ${id}`,
  parent,
  classes,
});
const groups = new Map(
  [
    group('root', 'root', { ntp: { servers: [] } }),
    group('web', 'root', { apache: {} }),
    group('shop', 'web', { ntp: {} }),
  ].map((each) => [each.id, each]),
);

test('the line of a group ends at the root', () => {
  expect(lineage('shop', groups).map(({ id }) => id)).toEqual(['shop', 'web', 'root']);
});

test('of each line the group gives something that is nearest to the node', () => {
  expect(givingGroups(['shop'], groups, ({ classes = {} }) => 'ntp' in classes)).toEqual(['Group shop']);
  expect(givingGroups(['shop', 'web'], groups, ({ classes = {} }) => 'apache' in classes)).toEqual([
    'Group web',
  ]);
});

const term = (value: boolean, path: string | readonly string[], target: string) => ({
  value,
  form: ['=', { path, value: target }, target],
});

test('a rule matched by the terms that hold', () => {
  const rule = {
    value: true,
    form: ['or', term(false, ['fact', 'kernel'], 'AIX'), term(true, ['trusted', 'certname'], 'a')],
  };

  expect(matchedTerms(rule)).toEqual(['trusted.certname = a']);
});

test('the rule of All Nodes is a reason only when there is no other', () => {
  const all = { value: true, form: ['~', { path: 'name', value: 'a' }, '.*'] };
  const pin = term(true, 'name', 'a');

  expect(reasonsOf(all)).toEqual(['name ~ .*']);
  expect(reasonsOf({ value: true, form: ['and', pin, all] })).toEqual(['name = a']);
});
