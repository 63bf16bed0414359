/** What kinds of failures of git, of the system and of other servers mean for who has to go on. */

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import { GitError } from '../../platform/git/index.ts';

/** What the system and git say when nothing more can be written: to wait helps, to rebuild does not. */
const noSpace =
  /no space left on device|out of disk ?space|disk quota exceeded|read-only file system|ENOSPC|EDQUOT|EROFS/i;
/** ... when something else keeps the process from its work: a right or a resource that it lacks, a broken disk. */
const noMeans =
  /permission denied|too many open files|cannot allocate memory|out of memory|write error|unable to write|failed to write|EACCES|EPERM|EMFILE|ENOMEM/i;

export function isDiskFull(error: unknown): boolean {
  return noSpace.test(textOf(error));
}

/** Whether a failure may come from a corrupt repository, which a new one would not have. */
export function isCorruption(error: unknown): boolean {
  if (!(error instanceof GitError) || error.exitCode === undefined) return false;
  const text = textOf(error);
  return !noSpace.test(text) && !noMeans.test(text);
}

/** So little room is none for whatever was to be written. */
const littleBytes = 16 * 2 ** 20;

/**
 * git does not always say that it could not write, or not why: the disk is asked.
 *
 * @param directory - where it was to write
 */
export async function withReason(error: unknown, directory: string): Promise<unknown> {
  if (!(error instanceof GitError) || error.exitCode === undefined || isDiskFull(error)) return error;
  const { bavail, bsize } = await statfs(dirname(directory));
  if (bavail * bsize >= littleBytes) return error;
  return new GitError(`No space left on device: ${error.message}`, error.exitCode, error);
}

/** Whether the failure is a missing answer, for which the log needs no stack. */
export function isAbsence(error: unknown): boolean {
  return error instanceof ServiceError && (error.reason === 'unavailable' || error.reason === 'timeout');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: string };
  const cause = error.cause === undefined ? '' : textOf(error.cause);
  return `${code ?? ''} ${error.message} ${cause}`;
}
