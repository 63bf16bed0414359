import { expect, test } from 'vitest';
import { givingGroups, isPinned, lineage, matchedTerms, type NamedGroup } from './classification.ts';

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
  expect(isPinned(rule)).toBe(false);
});

test('a pin is a comparison of the name that holds', () => {
  expect(isPinned({ value: true, form: ['or', term(true, 'name', 'a'), term(false, 'name', 'b')] })).toBe(
    true,
  );
  expect(isPinned({ value: true, form: ['and', term(true, 'name', 'a')] })).toBe(false);
});
