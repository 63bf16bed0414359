/** Directories whose users log in here. */

import { get, post } from './client.ts';

/** With the names of LDAP. The server never returns a password. */
export interface DirectorySettings {
  readonly display_name: string;
  readonly help_link: string;
  readonly hostname: string;
  readonly port: number;
  readonly ssl: boolean;
  readonly start_tls: boolean;
  readonly login: string | null;
  readonly base_dn: string;
  readonly user_rdn: string | null;
  readonly user_lookup_attr: string;
  readonly user_email_attr: string;
  readonly user_display_name_attr: string;
  readonly group_rdn: string | null;
  readonly group_object_class: string;
  readonly group_member_attr: string;
  readonly group_name_attr: string;
  readonly group_lookup_attr: string;
  readonly search_nested_groups: boolean;
}

export interface DirectoryRow extends DirectorySettings {
  readonly id: string;
}

/** The form's values; an empty password keeps the stored one. */
export interface DirectoryOrder extends DirectorySettings {
  readonly id?: string;
  readonly password?: string;
}

export async function readDirectories(signal: AbortSignal): Promise<readonly DirectoryRow[]> {
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
  const answer = await post<{ readonly elapsed: number }>(`${command}/test`, order);
  return answer?.elapsed ?? 0;
}
