/** The message of an error for clients; unexpected errors are not shown to all. */

import { ServiceError } from '../../../lib/service-error.ts';
import { GitError } from '../../../platform/git/index.ts';
import { DeployError, DeployErrors } from '../deploy-error.ts';

/** @returns `undefined` for an error that must be a bug */
export function messagesOf(error: unknown, deployTimeoutMs: number): readonly string[] | undefined {
  if (error instanceof DeployErrors)
    return error.errors.flatMap((one) => messagesOf(one, deployTimeoutMs) ?? [one.message]);
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return [`Timed out after ${deployTimeoutMs / 1000} seconds`];
  const isKnown =
    error instanceof DeployError ||
    error instanceof ServiceError ||
    error instanceof GitError ||
    // A full disk, a directory that may not be written: the system's words.
    'syscall' in error;
  return isKnown ? [error.message] : undefined;
}
