/** Roles, users, directories, identity providers and imported groups as the primary has them. */

import { z } from 'zod';
import type { CommandLine } from '../../own-options.ts';
import { apiUrl, askService, consoleServices, type ServiceRequest } from '../../service-connection.ts';
import { readSources, type SourceState } from './identity-sources.ts';

const PermissionWire = z.object({ object_type: z.string(), action: z.string(), instance: z.string() });

/** Roles that are always there have lower numbers. */
const firstOwnRoleId = 5;

const RoleWire = z
  .object({
    id: z.int(),
    display_name: z.string(),
    description: z.string(),
    permissions: z.array(PermissionWire),
    user_ids: z.array(z.string()),
    group_ids: z.array(z.string()),
  })
  .transform((wire) => ({ ...wire, isBuiltIn: wire.id < firstOwnRoleId }));

const UserWire = z.object({
  id: z.string(),
  login: z.string(),
  display_name: z.string(),
  email: z.string(),
  role_ids: z.array(z.int()),
  is_revoked: z.boolean(),
  is_remote: z.boolean(),
  is_superuser: z.boolean(),
});

const UserGroupWire = z.object({
  id: z.string(),
  login: z.string(),
  /** Of its directory or provider. */
  identity_provider_id: z.string(),
  role_ids: z.array(z.int()),
});

export type StateRole = z.infer<typeof RoleWire>;
export type StateUser = z.infer<typeof UserWire>;
export type StateGroup = z.infer<typeof UserGroupWire>;

export interface AccessState {
  readonly roles: readonly StateRole[];
  readonly users: readonly StateUser[];
  readonly groups: readonly StateGroup[];
  readonly sources: readonly SourceState[];
}

/** @throws Error with what the service said */
export async function askAccess(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, apiUrl(line, consoleServices, '/rbac-api'), request);
}

/** @param ask - as `askAccess` */
export async function readAccessState(
  ask: (request: ServiceRequest) => Promise<unknown>,
): Promise<AccessState> {
  const list = async <T>(shape: z.ZodType<T>, path: string) =>
    z.array(shape).parse(await ask({ method: 'GET', path }));
  const [roles, users, groups, sources] = await Promise.all([
    list(RoleWire, '/v1/roles'),
    list(UserWire, '/v1/users'),
    list(UserGroupWire, '/v1/groups'),
    readSources(ask),
  ]);
  return { roles, users, groups, sources };
}
