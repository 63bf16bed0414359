/** Users, roles, groups of directories, and tokens. */

import { get, post, put, remove } from './client.ts';
import type { Permission } from './session.ts';

const root = '/rbac-api';

export interface UserRow {
  readonly id: string;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly role_ids: readonly number[];
  readonly is_remote: boolean;
  readonly is_superuser: boolean;
  readonly is_revoked: boolean;
  readonly last_login: string | null;
  /** Of users of directories: by their groups. */
  readonly inherited_role_ids?: readonly number[];
  readonly group_ids?: readonly string[];
}

export interface RoleRow {
  readonly id: number;
  readonly display_name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly user_ids: readonly string[];
  readonly group_ids: readonly string[];
}

export interface UserGroupRow {
  readonly id: string;
  readonly login: string;
  readonly display_name: string | null;
  readonly identity_provider_id: string;
  readonly role_ids: readonly number[];
  /** Members who have logged in. */
  readonly user_ids: readonly string[];
}

export interface ObjectTypeRow {
  readonly object_type: string;
  readonly display_name: string;
  readonly description: string;
  readonly actions: readonly {
    readonly name: string;
    readonly display_name: string;
    readonly description: string;
    readonly has_instances: boolean;
  }[];
}

export interface TokenRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly client: string;
  readonly creation_date: string;
  readonly expiration_date: string;
  readonly last_active_date: string;
  readonly user: { readonly id: string; readonly login: string; readonly display_name: string };
}

interface Listed {
  readonly filter: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface UsersPage {
  readonly users: readonly UserRow[];
  readonly pagination: { readonly total: number };
}

/** By their logins. */
export async function readUsers(asked: Listed, signal: AbortSignal): Promise<UsersPage> {
  return await get(`${root}/v2/users`, { ...asked, order_by: 'login' }, signal);
}

export async function readUser(id: string, signal: AbortSignal): Promise<UserRow> {
  return await get(userPath(id), {}, signal);
}

export interface NewUser {
  readonly login: string;
  readonly display_name: string;
  readonly email: string;
  readonly role_ids: readonly number[];
  /** Absent for those who use tokens only. */
  readonly password?: string;
}

/** @returns the ID */
export async function createUser(user: NewUser): Promise<string> {
  const answer = await post<{ readonly id: string }>(`${root}/v1/command/users/create`, user);
  return answer?.id ?? '';
}

export async function changeUser(user: UserRow): Promise<void> {
  await put(userPath(user.id), user);
}

export async function deleteUser(id: string): Promise<void> {
  await remove(userPath(id));
}

/** @returns a token with which the user sets a new password, once */
export async function allowReset(id: string): Promise<string> {
  return (await post<string>(`${userPath(id)}/password/reset`, {})) ?? '';
}

export async function removeSecondFactor(id: string): Promise<void> {
  await remove(`${userPath(id)}/second-factor`);
}

export async function readRoles(signal: AbortSignal): Promise<readonly RoleRow[]> {
  return await get(`${root}/v1/roles`, {}, signal);
}

export type NewRole = Omit<RoleRow, 'id'>;

export async function createRole(role: NewRole): Promise<void> {
  await post(`${root}/v1/roles`, role);
}

export async function changeRole(role: RoleRow): Promise<void> {
  await put(`${root}/v1/roles/${role.id}`, role);
}

export async function deleteRole(id: number): Promise<void> {
  await remove(`${root}/v1/roles/${id}`);
}

export async function readObjectTypes(signal: AbortSignal): Promise<readonly ObjectTypeRow[]> {
  return await get(`${root}/v1/types`, {}, signal);
}

export async function readUserGroups(signal: AbortSignal): Promise<readonly UserGroupRow[]> {
  return await get(`${root}/v1/groups`, {}, signal);
}

/** @param directory - absent where only one is connected */
export async function importUserGroup(
  login: string,
  roleIds: readonly number[],
  directory: string | undefined,
): Promise<void> {
  await post(`${root}/v1/command/groups/create`, {
    login,
    role_ids: roleIds,
    ...(directory === undefined ? {} : { identity_provider_id: directory }),
  });
}

export async function changeUserGroup(group: UserGroupRow): Promise<void> {
  await put(`${root}/v1/groups/${encodeURIComponent(group.id)}`, group);
}

export async function deleteUserGroup(id: string): Promise<void> {
  await remove(`${root}/v1/groups/${encodeURIComponent(id)}`);
}

interface TokensPage {
  readonly items: readonly TokenRow[];
  readonly pagination: { readonly total: number };
}

/** Those that were used last come first. */
export async function readTokens(asked: Listed, signal: AbortSignal): Promise<TokensPage> {
  return await get(`${root}/v2/tokens`, { ...asked, order: 'desc' }, signal);
}

export interface TokenOrder {
  readonly label?: string;
  /** `90d` */
  readonly lifetime: string;
}

/** @returns the token, which is shown this once */
export async function createToken(userId: string, order: TokenOrder): Promise<string> {
  const answer = await post<{ readonly token: string }>(`${userPath(userId)}/tokens`, order);
  return answer?.token ?? '';
}

export async function revokeToken(id: string): Promise<void> {
  await remove(`${root}/v2/tokens?${new URLSearchParams({ revoke_tokens_by_ids: id })}`);
}

function userPath(id: string): string {
  return `${root}/v1/users/${encodeURIComponent(id)}`;
}
