/** The servers of the installation, and the tokens with which others join. */

import { get, post, remove } from './client.ts';

export interface ServerLoad {
  readonly workers: number;
  readonly busy_workers: number;
  readonly queued: number;
  readonly load_average: number;
  readonly cores: number;
  readonly resident_bytes: number;
}

export interface ServerRow {
  readonly certname: string;
  readonly role: string;
  readonly state: string;
  readonly url: string | null;
  readonly version: string | null;
  readonly joined_at: string | null;
  readonly last_contact: string | null;
  /** The commit that each environment is served from. */
  readonly code: Readonly<Record<string, string>>;
  readonly load: ServerLoad | null;
  /** Messages that wait for the primary. */
  readonly undelivered: number;
  readonly certificate_ends_at: string | null;
}

export interface ServiceRow {
  readonly service: string;
  readonly display_name: string;
  readonly state: string;
  readonly server: string;
  readonly url: string;
  readonly alerts: readonly { readonly severity: string; readonly message: string }[];
}

export interface InfrastructureStatus {
  /** The primary first. */
  readonly servers: readonly ServerRow[];
  readonly services: readonly ServiceRow[];
}

const root = '/infrastructure/v1';

export async function readInfrastructure(signal: AbortSignal): Promise<InfrastructureStatus> {
  return await get(`${root}/status`, {}, signal);
}

export interface JoinTokenRow {
  readonly id: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly uses_left: number | null;
  readonly certnames: readonly string[];
}

export async function readJoinTokens(signal: AbortSignal): Promise<readonly JoinTokenRow[]> {
  return await get(`${root}/tokens`, {}, signal);
}

export interface JoinTokenOrder {
  readonly uses: number;
  readonly ttl_seconds: number;
  readonly certnames?: readonly string[];
}

/** @returns the token, which is shown this once */
export async function createJoinToken(order: JoinTokenOrder): Promise<string> {
  const answer = await post<{ readonly token: string }>(`${root}/tokens`, order);
  return answer?.token ?? '';
}

export async function deleteJoinToken(id: string): Promise<void> {
  await remove(`${root}/tokens/${encodeURIComponent(id)}`);
}

/** Orders a server in contact to leave: it drains, then it is revoked and forgotten. */
export async function drainServer(certname: string): Promise<void> {
  await post(`${root}/servers/${encodeURIComponent(certname)}/drain`, {});
}

/** Revokes and forgets a server without waiting for it. */
export async function removeServer(certname: string): Promise<void> {
  await remove(`${root}/servers/${encodeURIComponent(certname)}?force=true`);
}
