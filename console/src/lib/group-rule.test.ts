import { expect, test } from 'vitest';
import {
  decodeRule,
  type EditableRule,
  encodeRule,
  isClaim,
  pinsOf,
  type RuleKind,
  type RulePart,
  ruleText,
  withInherited,
  withoutPin,
  withPin,
} from './group-rule.ts';

const role = { fact: 'trusted.extensions.pp_role', operator: '=', value: 'web' } as const;
const kernel = { fact: 'os.name', operator: '!~', value: '^Win' } as const;

const top = (kind: RuleKind, ...parts: readonly RulePart[]) => ({ kind, parts });

test.each<EditableRule>([
  { top: top('all'), pins: [] },
  { top: top('all'), pins: ['a', 'b'] },
  { top: top('all', role), pins: [] },
  { top: top('all', role, kernel), pins: ['a'] },
  { top: top('any', role, kernel), pins: ['a'] },
  { top: top('all', role, top('any', kernel, top('none', role, kernel))), pins: ['a'] },
  { top: top('none', kernel), pins: [] },
])('a rule that was written is read the same: %j', (rule) => {
  expect(decodeRule(encodeRule(rule))).toEqual(rule);
});

test('rules are written as Puppet Enterprise writes them', () => {
  expect(encodeRule({ top: top('all', role, kernel), pins: ['a'] })).toEqual([
    'or',
    [
      'and',
      ['=', ['trusted', 'extensions', 'pp_role'], 'web'],
      ['not', ['~', ['fact', 'os', 'name'], '^Win']],
    ],
    ['=', 'name', 'a'],
  ]);
  expect(encodeRule({ top: top('all'), pins: [] })).toBeNull();
});

test('comparisons beside pins are any of them', () => {
  const rule = [
    'or',
    ['=', ['fact', 'kernel'], 'Linux'],
    ['=', ['fact', 'kernel'], 'AIX'],
    ['=', 'name', 'a'],
  ];

  expect(decodeRule(rule)).toMatchObject({
    top: { kind: 'any', parts: [{ fact: 'kernel' }, { value: 'AIX' }] },
    pins: ['a'],
  });
});

test('a negated list of conditions becomes none of them', () => {
  const one = ['=', ['fact', 'x'], '1'];

  expect(decodeRule(['not', ['and', one, one]])?.top).toMatchObject({
    kind: 'none',
    parts: [{ kind: 'all', parts: [{ fact: 'x' }, { fact: 'x' }] }],
  });
  expect(decodeRule(['maybe', one])).toBeUndefined();
});

test('rules in words', () => {
  expect(ruleText(encodeRule({ top: top('all', role, top('any', kernel)), pins: ['a'] }))).toBe(
    'all of (trusted.extensions.pp_role = web, any of (os.name !~ ^Win)), or 1 pinned node',
  );
  expect(ruleText(['and', ['~', 'name', '.*']])).toBe('every node');
});

test('inherited rules must hold too', () => {
  expect(withInherited(['=', 'name', 'a'], [undefined, ['~', 'name', '.*']])).toEqual([
    'and',
    ['=', 'name', 'a'],
    ['~', 'name', '.*'],
  ]);
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
  expect(isClaim({ fact: 'name', operator: '~', value: '.*' })).toBe(false);
});
