import { expect, test } from 'vitest';
import {
  decodeRule,
  type EditableRule,
  encodeRule,
  isClaim,
  pinsOf,
  withoutPin,
  withPin,
} from './group-rule.ts';

const role = { fact: 'trusted.extensions.pp_role', operator: '=', value: 'web' } as const;
const kernel = { fact: 'os.name', operator: '!~', value: '^Win' } as const;

test.each<EditableRule>([
  { match: 'all', terms: [], pins: [] },
  { match: 'all', terms: [], pins: ['a', 'b'] },
  { match: 'all', terms: [role], pins: [] },
  { match: 'all', terms: [role, kernel], pins: ['a'] },
  { match: 'any', terms: [role, kernel], pins: ['a'] },
])('a rule that was written is read the same: %j', (rule) => {
  expect(decodeRule(encodeRule(rule))).toEqual(rule);
});

test('rules are written as Puppet Enterprise writes them', () => {
  expect(encodeRule({ match: 'all', terms: [role, kernel], pins: ['a'] })).toEqual([
    'or',
    [
      'and',
      ['=', ['trusted', 'extensions', 'pp_role'], 'web'],
      ['not', ['~', ['fact', 'os', 'name'], '^Win']],
    ],
    ['=', 'name', 'a'],
  ]);
  expect(encodeRule({ match: 'all', terms: [], pins: [] })).toBeNull();
});

test('comparisons beside pins are any of them', () => {
  const rule = [
    'or',
    ['=', ['fact', 'kernel'], 'Linux'],
    ['=', ['fact', 'kernel'], 'AIX'],
    ['=', 'name', 'a'],
  ];

  expect(decodeRule(rule)).toMatchObject({
    match: 'any',
    pins: ['a'],
    terms: [{ fact: 'kernel' }, { value: 'AIX' }],
  });
});

test('what is nested deeper is not for the editor', () => {
  expect(decodeRule(['and', ['or', ['=', 'name', 'a'], ['=', ['fact', 'x'], '1']]])).toBeUndefined();
  expect(decodeRule(['not', ['and', ['=', ['fact', 'x'], '1']]])).toBeUndefined();
});

test('pins come and go beside whatever else a rule says', () => {
  const nested = ['and', ['or', ['=', ['fact', 'x'], '1']]];
  const pinned = withPin(nested, 'a');

  expect(pinned).toEqual(['or', nested, ['=', 'name', 'a']]);
  expect(pinsOf(pinned)).toEqual(['a']);
  expect(withoutPin(pinned, 'a')).toEqual(['or', nested]);
  expect(withPin(undefined, 'a')).toEqual(['or', ['=', 'name', 'a']]);
  expect(withoutPin(withPin(undefined, 'a'), 'a')).toBeNull();
});

test('nodes can claim facts, and only facts', () => {
  expect(isClaim(kernel)).toBe(true);
  expect(isClaim(role)).toBe(false);
});
