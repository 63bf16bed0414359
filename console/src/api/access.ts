/** Users, roles, groups of directories, and tokens. */

import type {
  NewId,
  NewToken,
  ObjectTypeAnswer,
  OwnedTokensPage,
  RoleAnswer,
  UserAnswer,
  UserGroupAnswer,
  UsersPage,
} from '../../../src/services/rbac/answers/wire.ts';
import { get, post, put, remove } from './client.ts';

export type {
  ObjectTypeAnswer as ObjectTypeRow,
  OwnedTokenAnswer as TokenRow,
  RoleAnswer as RoleRow,
  UserAnswer as UserRow,
  UserGroupAnswer as UserGroupRow,
  UsersPage,
} from '../../../src/services/rbac/answers/wire.ts';

const root = '/rbac-api';

interface Listed {
  readonly filter: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** By their logins. */
export async function readUsers(asked: Listed, signal: AbortSignal): Promise<UsersPage> {
  return await get(`${root}/v2/users`, { ...asked, order_by: 'login' }, signal);
}

export async function readUser(id: string, signal: AbortSignal): Promise<UserAnswer> {
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
  const answer = await post<NewId>(`${root}/v1/command/users/create`, user);
  return answer?.id ?? '';
}

export async function changeUser(user: UserAnswer): Promise<void> {
  await put(userPath(user.id), user);
}

/** @throws ApiError 409 when the user is not as shown any more */
export async function deleteUser(shown: UserAnswer): Promise<void> {
  await remove(userPath(shown.id), shown);
}

/** @returns a token with which the user sets a new password, once */
export async function allowReset(id: string): Promise<string> {
  return (await post<string>(`${userPath(id)}/password/reset`, {})) ?? '';
}

export async function removeSecondFactor(id: string): Promise<void> {
  await remove(`${userPath(id)}/second-factor`);
}

export async function readRoles(signal: AbortSignal): Promise<readonly RoleAnswer[]> {
  return await get(`${root}/v1/roles`, {}, signal);
}

export type NewRole = Omit<RoleAnswer, 'id'>;

export async function createRole(role: NewRole): Promise<void> {
  await post(`${root}/v1/roles`, role);
}

export async function changeRole(role: RoleAnswer): Promise<void> {
  await put(`${root}/v1/roles/${role.id}`, role);
}

/** @throws ApiError 409 when the role or its members are not as shown any more */
export async function deleteRole(shown: RoleAnswer): Promise<void> {
  await remove(`${root}/v1/roles/${shown.id}`, shown);
}

export async function readObjectTypes(signal: AbortSignal): Promise<readonly ObjectTypeAnswer[]> {
  return await get(`${root}/v1/types`, {}, signal);
}

export async function readUserGroups(signal: AbortSignal): Promise<readonly UserGroupAnswer[]> {
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

export async function changeUserGroup(group: UserGroupAnswer): Promise<void> {
  await put(`${root}/v1/groups/${encodeURIComponent(group.id)}`, group);
}

export async function deleteUserGroup(id: string): Promise<void> {
  await remove(`${root}/v1/groups/${encodeURIComponent(id)}`);
}

/** Those that were used last come first. */
export async function readTokens(asked: Listed, signal: AbortSignal): Promise<OwnedTokensPage> {
  return await get(`${root}/v2/tokens`, { ...asked, order: 'desc' }, signal);
}

export interface TokenOrder {
  readonly label?: string;
  /** `90d` */
  readonly lifetime: string;
}

/** @returns the token, which is shown this once */
export async function createToken(userId: string, order: TokenOrder): Promise<string> {
  const answer = await post<NewToken>(`${userPath(userId)}/tokens`, order);
  return answer?.token ?? '';
}

export async function revokeToken(id: string): Promise<void> {
  await remove(`${root}/v2/tokens?${new URLSearchParams({ revoke_tokens_by_ids: id })}`);
}

function userPath(id: string): string {
  return `${root}/v1/users/${encodeURIComponent(id)}`;
}
