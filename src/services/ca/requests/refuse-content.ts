/** Refuses a request that only a person may sign, and keeps it. */

import type { Logger } from '../../../platform/log/index.ts';
import type { RequestOrigins } from '../directory/request-origins.ts';
import { refuse } from './refusal.ts';
import { remediesFor } from './request-limits.ts';
import type { Applicant } from './signing-policy.ts';

/**
 * The agent is told in the reference's words; people look into the log for why it was not signed, and what to do, or at the list of
 * requests.
 *
 * @throws ServiceError `bad-request` when there is a problem
 */
export async function refuseContent(
  applicant: Applicant,
  problem: string | undefined,
  { log, origins }: { readonly log: Logger; readonly origins: RequestOrigins },
): Promise<void> {
  if (problem === undefined) return;
  const { certname } = applicant;
  await origins.note(applicant, problem);
  const reasons = { reason: problem, remedies: remediesFor(problem) };
  log.warn({ certname, ...reasons }, 'kept the certificate request, but may not sign it by itself');
  refuse('bad-request', problem);
}
