/** The deployed versions, for the pages that show them. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { type CodeStatus, readCodeStatus } from '../api/code.ts';

export function codeStatus(): UseQueryOptions<CodeStatus> {
  return { queryKey: ['code', 'status'], queryFn: ({ signal }) => readCodeStatus(signal) };
}

/** The deploys of an environment that run, wait or have failed. */
export function deployState(status: CodeStatus, environment: string): string | undefined {
  const { deploying, failed, new: waiting, queued } = status['deploys-status'];
  const isIn = (deploys: readonly { readonly environment: string }[]) =>
    deploys.some((each) => each.environment === environment);
  if (isIn(deploying)) return 'Deploying';
  if (isIn([...queued, ...waiting])) return 'Waiting';
  return isIn(failed) ? 'Failed' : undefined;
}
