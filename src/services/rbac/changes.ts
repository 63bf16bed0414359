/** The changes of users, roles and tokens that are recorded, without passwords and tokens. */

import type { Json } from '../../lib/json.ts';
import type { Author, Change, ChangeDetails, ChangeEvent } from '../../platform/changes/index.ts';
import { permissionText } from './permission.ts';
import type { Role } from './role.ts';
import type { Token } from './token.ts';
import type { Actor, User } from './user.ts';
import { renderUser } from './wire.ts';

/** Adds who made a change, and when. */
export function by(actor: Pick<Actor, 'author'>, time: Date): (details: ChangeDetails) => Change {
  return (details) => ({ ...details, author: actor.author, time });
}

/** A user who proves who they are with the request itself: by a password, or by a token to reset one. */
export function userAuthor({ id, login }: User, address: string): Author {
  return { kind: 'user', id, name: login, address };
}

/**
 * @param before - absent for a new user
 * @param after - absent for a deleted one
 * @param roleName - of the ID of a role
 * @returns nothing when no part differs
 */
export function userChange(
  before: User | undefined,
  after: User | undefined,
  roleName: (id: number) => string,
): readonly ChangeDetails[] {
  const user = after ?? before;
  if (user === undefined) return [];
  const events = userEvents(before, after, roleName);
  if (events.length === 0) return [];
  const rendered = (state: User | undefined) => state && (renderUser(state) as unknown as Json);
  return [{ ...ofUser(user, events), ...states(rendered(before), rendered(after)) }];
}

/** Something that happened to a user and leaves the definition as it is: a login, a new password. */
export function userEvent(user: User, event: ChangeEvent): ChangeDetails {
  return ofUser(user, [event]);
}

export function roleChange(before: Role | undefined, after: Role | undefined): readonly ChangeDetails[] {
  const role = after ?? before;
  if (role === undefined) return [];
  const events = roleEvents(before, after);
  if (events.length === 0) return [];
  return [
    {
      object: { service: 'rbac', type: 'roles', id: String(role.id), name: role.name },
      events,
      ...states(before as unknown as Json | undefined, after as unknown as Json | undefined),
    },
  ];
}

export function tokenChange(token: Token, login: string, action: 'create' | 'revoke'): ChangeDetails {
  const label = token.label === undefined ? '' : ` "${token.label}"`;
  const message = `${action === 'create' ? 'Created' : 'Revoked'} the token${label} of the user ${login}`;
  return {
    object: { service: 'rbac', type: 'tokens', id: token.id, name: token.label ?? login },
    events: [{ action, what: 'token', message }],
  };
}

function ofUser(user: User, events: readonly ChangeEvent[]): ChangeDetails {
  return { object: { service: 'rbac', type: 'users', id: user.id, name: user.login }, events };
}

function states(before: Json | undefined, after: Json | undefined): Pick<ChangeDetails, 'before' | 'after'> {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function userEvents(
  before: User | undefined,
  after: User | undefined,
  roleName: (id: number) => string,
): readonly ChangeEvent[] {
  if (after === undefined)
    return before === undefined ? [] : [event('delete', 'user', `Deleted the user ${before.login}`)];
  const name = `the user ${after.login}`;
  const start = before ?? { ...after, roleIds: [], isRevoked: false };
  return [
    ...(before === undefined ? [event('create', 'user', `Created ${name}`)] : []),
    ...fieldEvents(start, after),
    ...after.roleIds
      .filter((id) => !start.roleIds.includes(id))
      .map((id) => event('edit', 'user_role', `Gave ${name} the role "${roleName(id)}"`)),
    ...start.roleIds
      .filter((id) => !after.roleIds.includes(id))
      .map((id) => event('edit', 'user_role', `Took the role "${roleName(id)}" from ${name}`)),
    ...(start.isRevoked === after.isRevoked
      ? []
      : [event('edit', 'user_revoked', `${after.isRevoked ? 'Revoked' : 'Reinstated'} ${name}`)]),
  ];
}

function fieldEvents(before: User, after: User): readonly ChangeEvent[] {
  const fields = [
    ['login', before.login, after.login],
    ['display name', before.displayName, after.displayName],
    ['email address', before.email, after.email],
  ] as const;
  return fields.flatMap(([label, from, to]) =>
    from === to
      ? []
      : [event('edit', 'user', `Changed the ${label} of the user ${after.login} from "${from}" to "${to}"`)],
  );
}

function roleEvents(before: Role | undefined, after: Role | undefined): readonly ChangeEvent[] {
  if (before === undefined)
    return after === undefined ? [] : [event('create', 'role', `Created the role "${after.name}"`)];
  if (after === undefined) return [event('delete', 'role', `Deleted the role "${before.name}"`)];
  const name = `the role "${after.name}"`;
  const [had, has] = [before.permissions.map(permissionText), after.permissions.map(permissionText)];
  return [
    ...(before.name === after.name
      ? []
      : [event('edit', 'role', `Changed the name of ${name} from "${before.name}"`)]),
    ...(before.description === after.description
      ? []
      : [event('edit', 'role', `Changed the description of ${name}`)]),
    ...has
      .filter((text) => !had.includes(text))
      .map((text) => event('edit', 'permission', `Added the permission ${text} to ${name}`)),
    ...had
      .filter((text) => !has.includes(text))
      .map((text) => event('edit', 'permission', `Removed the permission ${text} from ${name}`)),
  ];
}

function event(action: string, what: string, message: string): ChangeEvent {
  return { action, what, message };
}
