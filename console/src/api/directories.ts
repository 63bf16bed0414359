/** Directories whose users log in here. */

import type { DirectoryAnswer, DirectoryTest } from '../../../src/services/rbac/directory/answers/wire.ts';
import { get, post } from './client.ts';

export type { DirectoryAnswer as DirectoryRow } from '../../../src/services/rbac/directory/answers/wire.ts';

/** What the form has fields for; the rest stays as it is. */
export type DirectorySettings = Omit<
  DirectoryAnswer,
  | 'id'
  | 'ssl_hostname_validation'
  | 'ssl_wildcard_validation'
  | 'connect_timeout'
  | 'disable_ldap_matching_rule_in_chain'
>;

/** The form's values; an empty password keeps the stored one. */
export interface DirectoryOrder extends DirectorySettings {
  readonly id?: string;
  readonly password?: string;
}

export async function readDirectories(signal: AbortSignal): Promise<readonly DirectoryAnswer[]> {
  return await get('/rbac-api/v2/ldap', {}, signal);
}

const command = '/rbac-api/v1/command/ldap';

export async function saveDirectory(order: DirectoryOrder): Promise<void> {
  await post(`${command}/${order.id === undefined ? 'create' : 'update'}`, order);
}

export async function deleteDirectory(id: string): Promise<void> {
  await post(`${command}/delete`, { id });
}

/** @returns how long the directory took, in ms @throws ApiError saying why it can't be used */
export async function testDirectory(order: DirectoryOrder): Promise<number> {
  const answer = await post<DirectoryTest>(`${command}/test`, order);
  return answer?.elapsed ?? 0;
}
