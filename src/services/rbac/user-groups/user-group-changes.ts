/** The changes of user groups that are recorded. */

import type { Json } from '../../../lib/json.ts';
import type { ChangeDetails, ChangeEvent } from '../../../platform/changes/index.ts';
import type { UserGroup } from './user-group.ts';

/**
 * @param before - absent for a new group
 * @param after - absent for a deleted one
 * @param roleName - of the ID of a role
 * @returns nothing when no part differs
 */
export function userGroupChange(
  before: UserGroup | undefined,
  after: UserGroup | undefined,
  roleName: (id: number) => string,
): readonly ChangeDetails[] {
  const group = after ?? before;
  if (group === undefined) return [];
  const events = eventsOf(before, after, roleName);
  if (events.length === 0) return [];
  return [
    {
      object: { service: 'rbac', type: 'user_groups', id: group.id, name: group.login },
      events,
      ...(before === undefined ? {} : { before: before as unknown as Json }),
      ...(after === undefined ? {} : { after: after as unknown as Json }),
    },
  ];
}

function eventsOf(
  before: UserGroup | undefined,
  after: UserGroup | undefined,
  roleName: (id: number) => string,
): readonly ChangeEvent[] {
  if (after === undefined)
    return before === undefined
      ? []
      : [event('delete', 'user_group', `Deleted the user group ${before.login}`)];
  const had = before?.roleIds ?? [];
  const name = `the user group ${after.login}`;
  return [
    ...(before === undefined ? [event('create', 'user_group', `Imported ${name}`)] : []),
    ...after.roleIds
      .filter((id) => !had.includes(id))
      .map((id) => event('edit', 'user_role', `Gave ${name} the role "${roleName(id)}"`)),
    ...had
      .filter((id) => !after.roleIds.includes(id))
      .map((id) => event('edit', 'user_role', `Took the role "${roleName(id)}" from ${name}`)),
  ];
}

function event(action: string, what: string, message: string): ChangeEvent {
  return { action, what, message };
}
