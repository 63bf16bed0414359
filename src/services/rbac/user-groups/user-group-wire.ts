/** User groups as they cross the network, under Puppet Enterprise's names. */

import { z } from 'zod';
import type { UserGroupAnswer } from '../answers/wire.ts';
import { withoutNul } from '../wire.ts';
import type { UserGroup } from './user-group.ts';
import type { GroupImport } from './user-groups.ts';

const RoleIds = z.array(z.int());

export const GroupImportWire = z
  .strictObject({
    login: z.string().trim().min(1).regex(withoutNul),
    role_ids: RoleIds.default([]),
    display_name: z.string().regex(withoutNul).nullish(),
    identity_provider_id: z.string().nullish(),
    validate: z.boolean().default(true),
  })
  .transform(
    (wire): GroupImport => ({
      login: wire.login,
      roleIds: wire.role_ids,
      displayName: wire.display_name ?? undefined,
      directoryId: wire.identity_provider_id ?? undefined,
      isValidated: wire.validate,
    }),
  );

/** With all that was answered before: only roles can be changed, the rest is passed over. */
export const UserGroupWire = z
  .object({ id: z.string().optional(), role_ids: RoleIds })
  .transform((wire) => ({ id: wire.id, roleIds: wire.role_ids }));

/** @param userIds - the members that have logged in */
export function renderUserGroup(group: UserGroup, userIds: readonly string[]): UserGroupAnswer {
  return {
    id: group.id,
    login: group.login,
    display_name: group.displayName,
    identity_provider_id: group.directoryId,
    role_ids: group.roleIds,
    is_group: true,
    is_remote: true,
    is_superuser: false,
    is_revoked: false,
    user_ids: userIds,
  };
}
