/** One request to deploy one environment, and what has become of it. */

export type DeployStatus = 'new' | 'queued' | 'deploying' | 'complete' | 'failed';

export interface Deploy {
  readonly id: number;
  readonly environment: string;
  readonly status: DeployStatus;
  readonly queuedAt: Date;
  readonly finishedAt?: Date;
  /** The commit of the control repository. */
  readonly signature?: string | undefined;
  readonly fileSync?: FileSyncCommits | undefined;
  readonly error?: DeployFailure;
  /** What people should know of a deploy that succeeded. */
  readonly warnings?: readonly string[];
}

export interface FileSyncCommits {
  readonly environmentCommit: string;
  readonly codeCommit: string;
}

export interface DeployFailure {
  readonly kind: string;
  readonly message: string;
  readonly correctedName: string;
}

export const failureKinds = {
  deploy: 'puppetlabs.code-manager/deploy-failure',
  validation: 'puppetlabs.code-manager/validation-failure',
  sync: 'puppetlabs.code-manager/file-sync-failure',
} as const;

/** As a deploy that failed is told: one line for each thing that went wrong. */
export function renderFailure(environment: string, messages: readonly string[]): string {
  const lines = messages.map((message) => `ERROR\t -> ${message}\n`);
  return `Errors while deploying environment '${environment}' (exit code: 1):\n${lines.join('')}`;
}
