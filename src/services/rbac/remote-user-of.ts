/** What a user is by what a directory says. */

import type { Directory } from './directory/directory.ts';
import type { Person } from './directory/directory-client.ts';
import { isSameName } from './directory/names.ts';
import type { User } from './user.ts';
import type { UserGroup } from './user-groups/user-group.ts';

interface Circumstances {
  readonly directory: Directory;
  /** Those that were imported from it. */
  readonly groups: readonly UserGroup[];
  readonly now: Date;
  readonly newId: () => string;
  /** Whether no other user has the login of the person. */
  readonly isFree: boolean;
}

/**
 * Another person with the login of an earlier one gets none of that one's own roles: an entry that was deleted and made anew is
 * somebody else as far as anybody can know.
 *
 * @param before - who is known under the person's key or login
 */
export function remoteUserOf(before: User | undefined, person: Person, circumstances: Circumstances): User {
  const { directory, groups, isFree, newId, now } = circumstances;
  const isSamePerson = before === undefined || !isOtherPerson(before, person, directory);
  const key = person.key ?? (isSamePerson ? before?.remote?.key : undefined);
  const names = [person.login, ...person.otherLogins];
  const keepsLogin =
    before !== undefined && (!isFree || names.some((name) => isSameName(name, before.login)));
  const isMember = (group: UserGroup) => person.groups.some((name) => isSameName(name, group.login));
  return {
    id: before?.id ?? newId(),
    login: keepsLogin ? before.login : person.login,
    displayName: person.displayName,
    email: person.email,
    roleIds: isSamePerson ? (before?.roleIds ?? []) : [],
    isRevoked: before?.isRevoked ?? false,
    lastLogin: before?.lastLogin,
    remote: {
      directoryId: directory.id,
      key,
      state: person.isDisabled ? 'disabled' : 'present',
      groupIds: person.isDisabled ? [] : groups.filter(isMember).map(({ id }) => id),
      checkedAt: now,
    },
  };
}

/** Whether a login has gone to somebody else. Entries of one directory that have no identifier are told apart by the login alone. */
export function isOtherPerson({ remote }: User, { key }: Person, directory: Directory): boolean {
  const isSameDirectory = remote?.directoryId === directory.id;
  if (remote?.key === undefined || key === undefined) return !isSameDirectory;
  return remote.key !== key;
}
