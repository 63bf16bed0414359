/** What a new password of a local user must be like. */

import { rbacError } from './rbac-error.ts';

/** Numbers of characters of each kind that are wanted. */
export interface PasswordRules {
  readonly minimumLength: number;
  readonly letters: number;
  readonly lowercaseLetters: number;
  readonly uppercaseLetters: number;
  readonly numbers: number;
  readonly specialCharacters: number;
  /** Whether the login may be a part of the password. */
  readonly allowsLogin: boolean;
  /** How many earlier passwords must not come again, the one in use included. */
  readonly previous: number;
}

/** Length is what counts: see NIST SP 800-63B, section 5.1.1. */
export const usualPasswordRules: PasswordRules = {
  minimumLength: 8,
  letters: 0,
  lowercaseLetters: 0,
  uppercaseLetters: 0,
  numbers: 0,
  specialCharacters: 0,
  allowsLogin: true,
  previous: 0,
};

/** A rule that is broken, under the name that clients know. */
export interface BrokenRule {
  readonly id: string;
  readonly text: string;
}

/** Longer ones are no safer, and a megabyte is an attack. */
export const mostPasswordCharacters = 1000;

const countedKinds = [
  ['letters-required', 'letters', /\p{L}/gu, 'letters'],
  ['lowercase-letters-required', 'lowercaseLetters', /\p{Ll}/gu, 'lower case letters'],
  ['uppercase-letters-required', 'uppercaseLetters', /\p{Lu}/gu, 'upper case letters'],
  ['numbers-required', 'numbers', /\p{N}/gu, 'digits'],
  [
    'special-characters-required',
    'specialCharacters',
    /[^\p{L}\p{N}]/gu,
    'other characters than letters and digits',
  ],
] as const;

/** @param login - whose password it is; unknown where absent */
export function brokenRules(
  rules: PasswordRules,
  password: string,
  login: string | undefined,
): readonly BrokenRule[] {
  const text = password.normalize('NFC');
  const length = Array.from(text).length;
  const { allowsLogin, minimumLength } = rules;
  const isLoginInside =
    login !== undefined && login !== '' && text.toLowerCase().includes(login.toLowerCase());
  if (length > mostPasswordCharacters)
    return [
      broken(
        'password-maximum-length',
        `The password must have ${mostPasswordCharacters} characters at most.`,
      ),
    ];
  return [
    ...(length < minimumLength
      ? [broken('password-minimum-length', `The password must have ${minimumLength} characters at least.`)]
      : []),
    ...countedKinds.flatMap(([id, kind, pattern, name]) =>
      Array.from(text.matchAll(pattern)).length < rules[kind]
        ? [broken(id, `The password must have at least this many ${name}: ${rules[kind]}.`)]
        : [],
    ),
    ...(!allowsLogin && isLoginInside
      ? [broken('username-substring-match', 'The password must not contain the login.')]
      : []),
  ];
}

export function reusedPassword(previous: number): BrokenRule {
  return broken(
    'number-of-previous-passwords',
    `The password must not be one of the last ${previous} passwords.`,
  );
}

/** @throws ServiceError `bad-request` naming all rules that are broken */
export function demandRules(failures: readonly BrokenRule[]): void {
  if (failures.length === 0) return;
  throw rbacError('bad-request', 'invalid-password', failures.map(({ text }) => text).join(' '), {
    failures: failures.map(({ id, text }) => ({ 'rule-identifier': id, 'friendly-error': text })),
  });
}

function broken(id: string, text: string): BrokenRule {
  return { id, text };
}
