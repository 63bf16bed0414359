/** A group of a directory, whose members have the roles of the group. */

import type { User } from '../user.ts';

export interface UserGroup {
  readonly id: string;
  readonly directoryId: string;
  /** As the directory names it. */
  readonly login: string;
  readonly displayName: string;
  readonly roleIds: readonly number[];
}

/** Those that a user of a directory is in. */
export function groupsOfUser({ remote }: User, groups: readonly UserGroup[]): readonly UserGroup[] {
  if (remote === undefined) return [];
  const { directoryId, groupIds } = remote;
  return groups.filter((group) => group.directoryId === directoryId && groupIds.includes(group.id));
}

export function rolesOfGroups(user: User, groups: readonly UserGroup[]): readonly number[] {
  return [...new Set(groupsOfUser(user, groups).flatMap(({ roleIds }) => roleIds))];
}
