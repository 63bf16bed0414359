/** Versions of code: deploys, the version that each server serves, rollback. */

import type { CodePath } from '../../../src/services/console/wire.ts';
import { get, post } from './client.ts';

export type { CodePath } from '../../../src/services/console/wire.ts';

export interface DeployedEnvironment {
  readonly environment: string;
  readonly date: string | null;
  /** The commit of the control repository, or ours where it was committed by hand. */
  readonly 'deploy-signature': string;
  readonly 'environment-commit': string;
}

interface WaitingDeploy {
  readonly environment: string;
  readonly 'queued-at': string;
}

export interface FailedDeploy extends WaitingDeploy {
  readonly error: { readonly kind: string; readonly msg: string };
}

export interface CodeStatus {
  readonly 'deploys-status': {
    readonly new: readonly WaitingDeploy[];
    readonly queued: readonly WaitingDeploy[];
    readonly deploying: readonly WaitingDeploy[];
    readonly failed: readonly FailedDeploy[];
  };
  readonly 'file-sync-storage-status': { readonly deployed: readonly DeployedEnvironment[] };
  readonly 'file-sync-client-status': {
    readonly 'all-synced': boolean;
    readonly 'file-sync-clients': Readonly<
      Record<
        string,
        {
          readonly last_check_in_time: string | null;
          readonly deployed: readonly DeployedEnvironment[];
        }
      >
    >;
  };
}

export interface CodeVersion {
  readonly commit: string;
  readonly date: string;
  readonly 'deploy-signature': string | null;
  readonly 'is-current': boolean;
}

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

export interface KnownBranch {
  readonly environment?: string;
  readonly source: string;
  readonly ref?: string;
  readonly error?: { readonly msg: string };
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
