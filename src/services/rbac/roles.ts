/** The roles there are: those that are always there, and an operator's own. */

import type { SerialQueue } from '../../lib/serial-queue.ts';
import type { ChangeDetails } from '../../platform/changes/index.ts';
import { by, roleChange, userChange } from './changes.ts';
import { anyInstance, type Permission, permissionText } from './permission.ts';
import { demand, rbacError } from './rbac-error.ts';
import { refuseChanged } from './refuse-changed.ts';
import { administrators, defaultRoles, firstOwnRoleId, isDefaultRole, type Role } from './role.ts';
import type { Members, RbacStore } from './store.ts';
import { type Actor, adminId, type User } from './user.ts';
import { rolesOfGroups, type UserGroup } from './user-groups/user-group.ts';
import { userGroupChange } from './user-groups/user-group-changes.ts';
import type { UserGroupStore } from './user-groups/user-group-store.ts';

interface MemberIds {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
}

export type RoleDefinition = Omit<Role, 'id'> & MemberIds;

export type RoleWithMembers = Role & MemberIds;

export interface RolesOptions {
  readonly store: RbacStore;
  readonly groups: UserGroupStore;
  readonly queue: SerialQueue;
  readonly now: () => Date;
}

export class Roles {
  private readonly store: RbacStore;
  private readonly groups: UserGroupStore;
  private readonly queue: SerialQueue;
  private readonly now: () => Date;

  /** @param options.queue - shared with whatever else changes users and groups */
  constructor(options: RolesOptions) {
    this.store = options.store;
    this.groups = options.groups;
    this.queue = options.queue;
    this.now = options.now;
  }

  async all(): Promise<readonly RoleWithMembers[]> {
    const [members, own] = await Promise.all([this.members(), this.store.roles()]);
    return [...defaultRoles, ...own].map((role) => withMembers(role, members));
  }

  /** @throws ServiceError `not-found` */
  async get(id: number): Promise<RoleWithMembers> {
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

  /** All that a user may do by own roles and by those of groups. */
  async permissionsOfUser(user: User): Promise<readonly Permission[]> {
    return await this.permissionsOf([...user.roleIds, ...(await this.inheritedRoleIds(user))]);
  }

  /** The roles of the groups that a user of a directory is in. */
  async inheritedRoleIds(user: User): Promise<readonly number[]> {
    if ((user.remote?.groupIds ?? []).length === 0) return [];
    return rolesOfGroups(user, await this.groups.all());
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
      const { groupIds, userIds, ...rest } = definition;
      const role = { ...rest, id };
      await this.save(role, { groupIds, userIds }, known, actor);
      return role;
    });
  }

  replace(id: number, definition: RoleDefinition, actor: Actor): Promise<RoleWithMembers> {
    return this.queue.run(() => this.replaceNow(id, definition, actor));
  }

  /** As `replace`, of one part: of the role as the command before left it. */
  async changePart(
    id: number,
    part: (role: RoleWithMembers) => Partial<RoleDefinition>,
    actor: Actor,
  ): Promise<void> {
    await this.queue.run(async () => {
      const role = await this.get(id);
      await this.replaceNow(id, { ...role, ...part(role) }, actor);
    });
  }

  /**
   * @param shown - the role as the actor has seen it; deleted in any state when absent
   * @throws ServiceError `conflict` when the role or its members have been changed since
   */
  remove(id: number, actor: Actor, shown?: RoleDefinition): Promise<void> {
    return this.queue.run(async () => {
      const role = await this.get(id);
      if (shown !== undefined) refuseChanged(`The role ${role.name}`, partsOf(role), partsOf(shown));
      refuseDefault(role);
      demand(actor, { objectType: 'user_roles', action: 'edit', instance: anyInstance });
      const members = await this.members();
      const without = changedMembers(members, id, { userIds: [], groupIds: [] });
      const changes = [...roleChange(role, undefined), ...memberChanges(members, without, role)];
      await this.store.removeRole(id, without, changes.map(by(actor, this.now())));
    });
  }

  private async replaceNow(id: number, definition: RoleDefinition, actor: Actor): Promise<RoleWithMembers> {
    const before = await this.get(id);
    const { description, groupIds, name, permissions, userIds } = definition;
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
    if (!isSameSet(before.groupIds, groupIds))
      demand(actor, { objectType: 'user_roles', action: 'edit_members', instance: String(id) });
    await this.save(role, { groupIds, userIds }, await this.all(), actor);
    return await this.get(id);
  }

  private async save(role: Role, ids: MemberIds, known: readonly Role[], actor: Actor): Promise<void> {
    if (known.some(({ id, name }) => id !== role.id && name === role.name))
      throw rbacError('conflict', 'conflict', `There is a role with the name ${role.name} already`);
    const members = await this.members();
    refuseUnknown('users', ids.userIds, members.users);
    refuseUnknown('user groups', ids.groupIds, members.groups);
    const changed = changedMembers(members, role.id, ids);
    const before = known.find(({ id }) => id === role.id);
    const changes = [...roleChange(before, role), ...memberChanges(members, changed, role)].map(
      by(actor, this.now()),
    );
    if (isDefaultRole(role.id)) await this.store.changeMembers(changed, changes);
    else await this.store.saveRole(role, changed, changes);
  }

  private async members(): Promise<Members> {
    const [users, groups] = await Promise.all([this.store.users(), this.groups.all()]);
    return { users, groups };
  }
}

function refuseUnknown(
  what: string,
  ids: readonly string[],
  known: readonly { readonly id: string }[],
): void {
  const unknown = ids.filter((each) => !known.some(({ id }) => id === each));
  if (unknown.length === 0) return;
  throw rbacError('unprocessable', 'invalid-associated-id', `There are no ${what} ${unknown.join(', ')}`, {
    ids: unknown,
  });
}

function memberChanges(before: Members, changed: Members, role: Role): readonly ChangeDetails[] {
  const roleName = () => role.name;
  return [
    ...changed.users.flatMap((user) => userChange(sameIn(before.users, user), user, roleName)),
    ...changed.groups.flatMap((group) => userGroupChange(sameIn(before.groups, group), group, roleName)),
  ];
}

function sameIn<T extends { readonly id: string }>(all: readonly T[], { id }: T): T | undefined {
  return all.find((each) => each.id === id);
}

/** A user cannot give rights that he does not have: otherwise he could give them to himself. */
function demandGrantable(actor: Actor, permissions: readonly Permission[]): void {
  for (const permission of permissions) demand(actor, permission);
}

/** Those whose roles change when the role has these members, with their roles then. */
function changedMembers({ groups, users }: Members, roleId: number, ids: MemberIds): Members {
  return {
    users: users.flatMap((user) => changedMembership(user, roleId, ids.userIds.includes(user.id))),
    groups: groups.flatMap((group) => changedMembership(group, roleId, ids.groupIds.includes(group.id))),
  };
}

function changedMembership<T extends { readonly roleIds: readonly number[] }>(
  member: T,
  roleId: number,
  isMember: boolean,
): readonly T[] {
  if (member.roleIds.includes(roleId) === isMember) return [];
  const others = member.roleIds.filter((id) => id !== roleId);
  return [{ ...member, roleIds: isMember ? [...others, roleId] : others }];
}

function withMembers(role: Role, { groups, users }: Members): RoleWithMembers {
  const idsOf = (all: readonly (User | UserGroup)[]) =>
    all.filter(({ roleIds }) => roleIds.includes(role.id)).map(({ id }) => id);
  return { ...role, userIds: idsOf(users), groupIds: idsOf(groups) };
}

function definitionOf({ description, name, permissions }: Omit<Role, 'id'>): Omit<Role, 'id'> {
  return { name, description, permissions };
}

/** By the words that people know them by. The order of lists does not matter. */
function partsOf({ description, groupIds, name, permissions, userIds }: RoleDefinition) {
  return {
    name,
    description,
    permissions: permissions.map(permissionText).sort(),
    users: userIds.toSorted(),
    'user groups': groupIds.toSorted(),
  };
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

/** Who changes who has a role needs the permission for that role. */
export function demandMembership(actor: Actor, roleIds: readonly number[]): void {
  for (const id of roleIds)
    demand(actor, { objectType: 'user_roles', action: 'edit_members', instance: String(id) });
}
