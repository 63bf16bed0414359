import { expect, test } from 'vitest';
import { brokenRules, usualPasswordRules } from './password-policy.ts';

const idsOf = (password: string, changes: object = {}, login?: string) =>
  brokenRules({ ...usualPasswordRules, ...changes }, password, login).map(({ id }) => id);

test.each([
  ['short', {}, ['password-minimum-length']],
  ['long enough', {}, []],
  // Eight characters, each of two code units.
  ['😀😀😀😀😀😀😀😀', {}, []],
  ['😀😀😀😀😀😀😀', {}, ['password-minimum-length']],
  ['x'.repeat(1000), {}, []],
  ['x'.repeat(1001), { numbers: 1 }, ['password-maximum-length']],
  ['12345678', { letters: 1 }, ['letters-required']],
  ['ÄÖÜÄÖÜÄÖ', { lowercaseLetters: 2, uppercaseLetters: 2 }, ['lowercase-letters-required']],
  ['lower case', { uppercaseLetters: 1, numbers: 2 }, ['uppercase-letters-required', 'numbers-required']],
  ['Letters1', { letters: 7, numbers: 1, specialCharacters: 1 }, ['special-characters-required']],
  ['Letters-1', { letters: 7, numbers: 1, specialCharacters: 1 }, []],
])('%j under %j breaks %j', (password, changes, expected) => {
  expect(idsOf(password, changes)).toEqual(expected);
});

test('a login counts as a part of the password in any case, where that is forbidden', () => {
  expect(idsOf('I am ADA.', { allowsLogin: false }, 'ada')).toEqual(['username-substring-match']);
  expect(idsOf('I am Bob.', { allowsLogin: false }, 'ada')).toEqual([]);
  expect(idsOf('I am ADA.', {}, 'ada')).toEqual([]);
  expect(idsOf('I am ADA.', { allowsLogin: false })).toEqual([]);
});
