/** Commands that change one part of a role, and leave the rest as others have changed it meanwhile. */

import { type Access, type Route, route } from '../../platform/http/index.ts';
import { actorOf, noContent } from './actor.ts';
import type { Permission } from './permission.ts';
import type { Rbac } from './rbac.ts';
import type { RoleDefinition, RoleWithMembers } from './roles.ts';
import { decodeBody, RoleGroupsWire, RolePermissionsWire, RoleUsersWire } from './wire.ts';

interface RoleChange {
  readonly roleId: number;
  readonly part: (role: RoleWithMembers) => Partial<RoleDefinition>;
}

export function roleCommands({ roles }: Rbac, allow: Access): readonly Route[] {
  const command = (name: string, read: (body: Buffer) => RoleChange) =>
    route({
      method: 'POST',
      path: `/rbac-api/v1/command/roles/${name}`,
      allow,
      async handle({ body, identity }) {
        const { part, roleId } = read(await body());
        await roles.changePart(roleId, part, actorOf(identity));
        return noContent;
      },
    });
  return [
    command('add-users', (body) => {
      const { roleId, userIds } = decodeBody(RoleUsersWire, body);
      return { roleId, part: (role) => ({ userIds: [...new Set([...role.userIds, ...userIds])] }) };
    }),
    command('remove-users', (body) => {
      const { roleId, userIds } = decodeBody(RoleUsersWire, body);
      return { roleId, part: (role) => ({ userIds: role.userIds.filter((id) => !userIds.includes(id)) }) };
    }),
    command('add-permissions', (body) => {
      const { permissions, roleId } = decodeBody(RolePermissionsWire, body);
      return {
        roleId,
        part: (role) => ({ permissions: [...without(role.permissions, permissions), ...permissions] }),
      };
    }),
    command('remove-permissions', (body) => {
      const { permissions, roleId } = decodeBody(RolePermissionsWire, body);
      return { roleId, part: (role) => ({ permissions: without(role.permissions, permissions) }) };
    }),
    ...['add-user-groups', 'add-groups'].map((name) =>
      command(name, (body) => {
        const { groupIds, roleId } = decodeBody(RoleGroupsWire, body);
        return { roleId, part: (role) => ({ groupIds: [...new Set([...role.groupIds, ...groupIds])] }) };
      }),
    ),
    ...['remove-user-groups', 'remove-groups'].map((name) =>
      command(name, (body) => {
        const { groupIds, roleId } = decodeBody(RoleGroupsWire, body);
        return {
          roleId,
          part: (role) => ({ groupIds: role.groupIds.filter((id) => !groupIds.includes(id)) }),
        };
      }),
    ),
  ];
}

function without(all: readonly Permission[], removed: readonly Permission[]): readonly Permission[] {
  const isSame = (a: Permission, b: Permission) =>
    a.objectType === b.objectType && a.action === b.action && a.instance === b.instance;
  return all.filter((each) => !removed.some((other) => isSame(each, other)));
}
