import { expect, test } from 'vitest';
import type { Directory } from './directory/directory.ts';
import type { Person } from './directory/directory-client.ts';
import { remoteUserOf } from './remote-user-of.ts';
import type { User } from './user.ts';

const now = new Date('2026-01-01T00:00:00Z');
const directory = { id: 'first' } as Directory;
const ada: Person = {
  login: 'ada',
  otherLogins: [],
  key: 'entryUUID:1',
  email: '',
  displayName: 'Ada',
  isDisabled: false,
  groups: ['OPS'],
};
const ops = { id: 'g1', directoryId: 'first', login: 'ops', displayName: '', roleIds: [] };
const known = (directoryId: string, key: string | undefined): User => ({
  id: 'u1',
  login: 'ada',
  displayName: '',
  email: '',
  roleIds: [4],
  isRevoked: false,
  lastLogin: undefined,
  remote: { directoryId, key, state: 'present', groupIds: [], checkedAt: now },
});
const userOf = (before: User | undefined, person: Person, isFree = true) =>
  remoteUserOf(before, person, { directory, groups: [ops], now, newId: () => 'u2', isFree });

test.each([
  ['the same entry', known('first', 'entryUUID:1'), ada, [4]],
  ['another entry', known('first', 'entryUUID:2'), ada, []],
  ['an entry without an identifier', known('first', undefined), ada, [4]],
  [
    'an identifier that cannot be read any more',
    known('first', 'entryUUID:1'),
    { ...ada, key: undefined },
    [4],
  ],
  ['the same entry in a directory that was connected anew', known('gone', 'entryUUID:1'), ada, [4]],
  ['another entry in another directory', known('gone', 'entryUUID:2'), ada, []],
  ['an entry without an identifier in another directory', known('gone', undefined), ada, []],
])('of %s a user has roles of their own: %#', (_, before, person, roleIds) => {
  expect(userOf(before, person)).toMatchObject({ id: 'u1', roleIds });
});

test('a key that is known stays, unless it was of somebody else', () => {
  expect(userOf(known('first', 'entryUUID:1'), { ...ada, key: undefined }).remote?.key).toBe('entryUUID:1');
  expect(userOf(known('gone', 'entryUUID:1'), { ...ada, key: undefined }).remote?.key).toBeUndefined();
});

test('a login changes with the directory, unless another user has it or it is still one of several', () => {
  const renamed = { ...ada, login: 'countess' };

  expect(userOf(known('first', 'entryUUID:1'), renamed).login).toBe('countess');
  expect(userOf(known('first', 'entryUUID:1'), renamed, false).login).toBe('ada');
  expect(userOf(known('first', 'entryUUID:1'), { ...renamed, otherLogins: ['ADA'] }).login).toBe('ada');
});

test('groups are found by their names in any case, and none for an account that is disabled', () => {
  expect(userOf(undefined, ada)).toMatchObject({ id: 'u2', remote: { groupIds: ['g1'], state: 'present' } });
  expect(userOf(undefined, { ...ada, isDisabled: true }).remote).toMatchObject({
    groupIds: [],
    state: 'disabled',
  });
});
