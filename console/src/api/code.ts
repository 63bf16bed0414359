/** Versions of code: deploys, the version that each server serves, rollback. */

import type {
  CodeStatus,
  CodeVersion,
  KnownBranch,
} from '../../../src/services/code-manager/answers/wire.ts';
import type { CodePath } from '../../../src/services/console/wire.ts';
import { get, post } from './client.ts';

export type {
  CodeStatus,
  CodeVersion,
  DeployedEnvironment,
  FailedDeploy,
  KnownBranch,
} from '../../../src/services/code-manager/answers/wire.ts';
export type { CodePath } from '../../../src/services/console/wire.ts';

const root = '/code-manager/v1';

export async function readCodeStatus(signal: AbortSignal): Promise<CodeStatus> {
  return await get(`${root}/deploys/status`, {}, signal);
}

/** Those that are kept, the latest first. @throws ApiError 404 for an unknown environment */
export async function readVersions(
  environment: string,
  signal: AbortSignal,
): Promise<readonly CodeVersion[]> {
  return await get(`${root}/environments/${encodeURIComponent(environment)}/versions`, {}, signal);
}

/**
 * A directory or file of a version, of the one that is served now when none is named.
 *
 * @throws ApiError 404 when there is none
 */
export async function readCodePath(
  environment: string,
  where: { readonly commit: string | undefined; readonly path: string },
  signal: AbortSignal,
): Promise<CodePath> {
  return await get(`/console-api/v1/code/${encodeURIComponent(environment)}/files`, where, signal);
}

/** The current branches of the control repositories. */
export async function readBranches(): Promise<readonly KnownBranch[]> {
  return (await post<readonly KnownBranch[]>(`${root}/deploys`, { 'dry-run': true })) ?? [];
}

export const deployPath = `${root}/deploys`;
export const rollbackPath = `${root}/rollback`;

/** Hands in deploys, which go on by themselves. @param environments - all when absent */
export async function deploy(order: DeployOrder): Promise<void> {
  await post(deployPath, order);
}

export interface DeployOrder {
  readonly environments?: readonly string[];
  readonly 'deploy-all'?: true;
  /** Whether the code is checked before it is served. */
  readonly validate?: true;
}

/** Serves an earlier version until the next deploy. */
export async function rollBack(environment: string, commit: string): Promise<void> {
  await post(rollbackPath, { environment, commit });
}
