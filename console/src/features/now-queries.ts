/** Queries of running jobs and waiting certificate requests. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { readCertificates } from '../api/certificates.ts';
import { readJobs } from '../api/jobs.ts';

export function runningJobs(): UseQueryOptions<number> {
  return {
    queryKey: ['orchestrator', 'jobs', 'running'],
    async queryFn({ signal }) {
      const question = { state: 'running', type: undefined, limit: 1, offset: 0 } as const;
      return (await readJobs(question, signal)).pagination.total;
    },
  };
}

/** The count stops here. */
export const mostRequests = 500;

export function waitingRequests(): UseQueryOptions<number> {
  return {
    queryKey: ['ca', 'waiting'],
    async queryFn({ signal }) {
      const page = { state: 'requested', q: '', limit: mostRequests, after: undefined } as const;
      return (await readCertificates(page, signal)).length;
    },
  };
}

/** `500 or more` when the count stopped at its limit. */
export function requestsText(count: number): string {
  const number = count >= mostRequests ? `${mostRequests} or more` : String(count);
  return count === 1 ? '1 request' : `${number} requests`;
}
