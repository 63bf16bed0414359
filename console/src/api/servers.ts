/** The servers of the installation, and the tokens with which others join. */

import type {
  CreatedJoinToken,
  InfrastructureStatus,
  JoinTokenAnswer,
} from '../../../src/services/infrastructure/answers/wire.ts';
import { get, post, remove } from './client.ts';

export type {
  InfrastructureStatus,
  JoinTokenAnswer as JoinTokenRow,
  ServerAnswer as ServerRow,
  ServiceAnswer as ServiceRow,
} from '../../../src/services/infrastructure/answers/wire.ts';

const root = '/infrastructure/v1';

export async function readInfrastructure(signal: AbortSignal): Promise<InfrastructureStatus> {
  return await get(`${root}/status`, {}, signal);
}

export async function readJoinTokens(signal: AbortSignal): Promise<readonly JoinTokenAnswer[]> {
  return await get(`${root}/tokens`, {}, signal);
}

export interface JoinTokenOrder {
  readonly uses: number;
  readonly ttl_seconds: number;
  readonly certnames?: readonly string[];
}

/** @returns the token, which is shown this once */
export async function createJoinToken(order: JoinTokenOrder): Promise<string> {
  const answer = await post<CreatedJoinToken>(`${root}/tokens`, order);
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
