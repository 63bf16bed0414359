/** What kinds of failures of git, of the system and of other servers mean for who has to go on. */

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

/** Whether a failure may come from a repository in disorder, which a new one would not have. */
export function isDisorder(error: unknown): boolean {
  if (!(error instanceof GitError) || error.exitCode === undefined) return false;
  const text = textOf(error);
  return !noSpace.test(text) && !noMeans.test(text);
}

/** Whether the failure is that nobody answers, which the log need not show a stack for. */
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
