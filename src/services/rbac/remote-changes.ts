/** What a directory changed about a user, for the record. */

import type { ChangeDetails, ChangeEvent } from '../../platform/changes/index.ts';
import { userChange, userEvent } from './changes.ts';
import type { User } from './user.ts';
import type { UserGroup } from './user-groups/user-group.ts';

interface Circumstances {
  readonly groups: readonly UserGroup[];
  /** The directory when absent. */
  readonly source?: string;
}

/**
 * @param before - absent for a new user
 * @param roleName - of the ID of a role
 * @param circumstances - the groups whose names are told, and what says so
 * @returns nothing when no part differs
 */
export function remoteChange(
  before: User | undefined,
  after: User,
  roleName: (id: number) => string,
  { groups, source = 'The directory' }: Circumstances,
): readonly ChangeDetails[] {
  const [change] = userChange(before, after, roleName);
  const events = [...stateEvents(before, after), ...groupEvents(before, after, groups, source)];
  if (change !== undefined) return [{ ...change, events: [...change.events, ...events] }];
  const [first, ...others] = events;
  if (first === undefined) return [];
  const details = userEvent(after, first);
  return [{ ...details, events: [first, ...others] }];
}

function stateEvents(before: User | undefined, { login, remote }: User): readonly ChangeEvent[] {
  const state = remote?.state ?? 'present';
  if (state === (before?.remote?.state ?? 'present')) return [];
  const texts = {
    present: `The directory has the user ${login} again`,
    absent: `The directory no longer has the user ${login}`,
    disabled: `The directory has disabled the user ${login}`,
  };
  return [{ action: 'edit', what: 'user', message: texts[state] }];
}

function groupEvents(
  before: User | undefined,
  { login, remote }: User,
  groups: readonly UserGroup[],
  source: string,
): readonly ChangeEvent[] {
  const [had, has] = [before?.remote?.groupIds ?? [], remote?.groupIds ?? []];
  const name = (id: string) => groups.find((group) => group.id === id)?.login;
  const tell = (ids: readonly string[], verb: string) =>
    ids.flatMap((id) => {
      const group = name(id);
      if (group === undefined) return [];
      const message = `${source} ${verb} the user group ${group}`;
      return [{ action: 'edit', what: 'user_group', message }];
    });
  return [
    ...tell(
      has.filter((id) => !had.includes(id)),
      `has the user ${login} in`,
    ),
    ...tell(
      had.filter((id) => !has.includes(id)),
      `no longer has the user ${login} in`,
    ),
  ];
}
