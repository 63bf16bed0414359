/** The roles there are: those that are always there, and an operator's own. */

import type { SerialQueue } from '../../lib/serial-queue.ts';
import type { ChangeDetails } from '../../platform/changes/index.ts';
import { by, roleChange, userChange } from './changes.ts';
import { anyInstance, type Permission } from './permission.ts';
import { demand, rbacError } from './rbac-error.ts';
import { administrators, defaultRoles, firstOwnRoleId, isDefaultRole, type Role } from './role.ts';
import type { RbacStore } from './store.ts';
import { type Actor, adminId, type User } from './user.ts';

export interface RoleDefinition extends Omit<Role, 'id'> {
  readonly userIds: readonly string[];
}

export type RoleWithUsers = Role & { readonly userIds: readonly string[] };

export class Roles {
  private readonly store: RbacStore;
  private readonly queue: SerialQueue;
  private readonly now: () => Date;

  /** @param queue - shared with whatever else changes users */
  constructor(store: RbacStore, queue: SerialQueue, now: () => Date) {
    this.store = store;
    this.queue = queue;
    this.now = now;
  }

  async all(): Promise<readonly RoleWithUsers[]> {
    const [users, own] = await Promise.all([this.store.users(), this.store.roles()]);
    return [...defaultRoles, ...own].map((role) => withUsers(role, users));
  }

  /** @throws ServiceError `not-found` */
  async get(id: number): Promise<RoleWithUsers> {
    const role = (await this.all()).find((each) => each.id === id);
    if (role === undefined) throw rbacError('not-found', 'not-found', `There is no role with the ID ${id}`);
    return role;
  }

  /** @returns what gives a role's name for its ID */
  async names(): Promise<(id: number) => string> {
    const names = new Map([...defaultRoles, ...(await this.store.roles())].map(({ id, name }) => [id, name]));
    return (id) => names.get(id) ?? String(id);
  }

  /** All that the roles with these numbers allow. Numbers of none allow nothing. */
  async permissionsOf(roleIds: readonly number[]): Promise<readonly Permission[]> {
    const hasOwn = roleIds.some((id) => !isDefaultRole(id));
    const roles = hasOwn ? [...defaultRoles, ...(await this.store.roles())] : defaultRoles;
    return roles.filter(({ id }) => roleIds.includes(id)).flatMap(({ permissions }) => permissions);
  }

  /** @throws ServiceError `unprocessable` for numbers of none */
  async checkIds(roleIds: readonly number[]): Promise<void> {
    const known = new Set((await this.all()).map(({ id }) => id));
    const unknown = roleIds.filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    throw rbacError('unprocessable', 'invalid-associated-id', `There are no roles ${unknown.join(', ')}`, {
      ids: unknown,
    });
  }

  create(definition: RoleDefinition, actor: Actor): Promise<Role> {
    return this.queue.run(async () => {
      demand(actor, { objectType: 'user_roles', action: 'create', instance: anyInstance });
      demandGrantable(actor, definition.permissions);
      const known = await this.all();
      const id = Math.max(firstOwnRoleId - 1, ...known.map((role) => role.id)) + 1;
      const { userIds, ...rest } = definition;
      const role = { ...rest, id };
      await this.save(role, userIds, known, actor);
      return role;
    });
  }

  replace(id: number, definition: RoleDefinition, actor: Actor): Promise<RoleWithUsers> {
    return this.queue.run(() => this.replaceNow(id, definition, actor));
  }

  /** As `replace`, of one part: of the role as the command before left it. */
  async changePart(
    id: number,
    part: (role: RoleWithUsers) => Partial<RoleDefinition>,
    actor: Actor,
  ): Promise<void> {
    await this.queue.run(async () => {
      const role = await this.get(id);
      await this.replaceNow(id, { ...role, ...part(role) }, actor);
    });
  }

  remove(id: number, actor: Actor): Promise<void> {
    return this.queue.run(async () => {
      const role = await this.get(id);
      refuseDefault(role);
      demand(actor, { objectType: 'user_roles', action: 'edit', instance: anyInstance });
      const users = (await this.store.users()).filter(({ roleIds }) => roleIds.includes(id));
      const without = users.map((user) => ({ ...user, roleIds: user.roleIds.filter((each) => each !== id) }));
      const changes = [...roleChange(role, undefined), ...memberChanges(users, without, role)];
      await this.store.removeRole(id, without, changes.map(by(actor, this.now())));
    });
  }

  private async replaceNow(id: number, definition: RoleDefinition, actor: Actor): Promise<RoleWithUsers> {
    const before = await this.get(id);
    const { description, name, permissions, userIds } = definition;
    const role = { description, name, permissions, id };
    const isSame = JSON.stringify(definitionOf(before)) === JSON.stringify(definitionOf(role));
    if (!isSame) {
      refuseDefault(before);
      demand(actor, { objectType: 'user_roles', action: 'edit', instance: anyInstance });
      demandGrantable(actor, permissions);
    }
    if (!isSameSet(before.userIds, userIds)) {
      demand(actor, { objectType: 'user_roles', action: 'edit_members', instance: String(id) });
      refuseWithoutAdmin(id, before.userIds, userIds);
    }
    await this.save(role, userIds, await this.all(), actor);
    return await this.get(id);
  }

  private async save(
    role: Role,
    userIds: readonly string[],
    known: readonly Role[],
    actor: Actor,
  ): Promise<void> {
    if (known.some(({ id, name }) => id !== role.id && name === role.name))
      throw rbacError('conflict', 'conflict', `There is a role with the name ${role.name} already`);
    const users = await this.store.users();
    const unknown = userIds.filter((each) => !users.some(({ id }) => id === each));
    if (unknown.length > 0)
      throw rbacError('unprocessable', 'invalid-associated-id', `There are no users ${unknown.join(', ')}`, {
        ids: unknown,
      });
    const changed = users.flatMap((user) => changedMembership(user, role.id, userIds.includes(user.id)));
    const before = known.find(({ id }) => id === role.id);
    const changes = [...roleChange(before, role), ...memberChanges(users, changed, role)].map(
      by(actor, this.now()),
    );
    if (isDefaultRole(role.id)) await this.store.changeUsers(changed, changes);
    else await this.store.saveRole(role, changed, changes);
  }
}

function memberChanges(
  before: readonly User[],
  changed: readonly User[],
  role: Role,
): readonly ChangeDetails[] {
  return changed.flatMap((user) =>
    userChange(
      before.find(({ id }) => id === user.id),
      user,
      () => role.name,
    ),
  );
}

/** A user cannot give rights that he does not have: otherwise he could give them to himself. */
function demandGrantable(actor: Actor, permissions: readonly Permission[]): void {
  for (const permission of permissions) demand(actor, permission);
}

function changedMembership(user: User, roleId: number, isMember: boolean): readonly User[] {
  if (user.roleIds.includes(roleId) === isMember) return [];
  const others = user.roleIds.filter((id) => id !== roleId);
  return [{ ...user, roleIds: isMember ? [...others, roleId] : others }];
}

function withUsers(role: Role, users: readonly User[]): RoleWithUsers {
  const userIds = users.filter(({ roleIds }) => roleIds.includes(role.id)).map(({ id }) => id);
  return { ...role, userIds };
}

function definitionOf({ description, name, permissions }: Omit<Role, 'id'>): Omit<Role, 'id'> {
  return { name, description, permissions };
}

/** The user admin keeps the role of administrators. */
function refuseWithoutAdmin(id: number, before: readonly string[], after: readonly string[]): void {
  if (id !== administrators.id || !before.includes(adminId) || after.includes(adminId)) return;
  throw rbacError('forbidden', 'admin-user-immutable', 'The user admin cannot be changed');
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).size === new Set(b).size && a.every((each) => b.includes(each));
}

function refuseDefault({ id, name }: Role): void {
  if (isDefaultRole(id))
    throw rbacError('forbidden', 'default-roles-immutable', `The role ${name} cannot be changed`);
}
