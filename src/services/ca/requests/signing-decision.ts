/** What happens to a request as it comes: the rules are asked first, then `autosign`. */

import type { Logger } from '../../../platform/log/index.ts';
import { autosigns } from './autosign.ts';
import type { Applicant, Decision, SigningPolicy } from './signing-policy.ts';

/**
 * @param autosign - as in `CaSettings`
 * @param pem - the request, for a program that decides
 */
export async function decideSigning(
  applicant: Applicant,
  pem: string,
  options: {
    readonly policy: SigningPolicy | undefined;
    readonly autosign: boolean | string;
    readonly log: Logger;
  },
): Promise<Decision> {
  const { autosign, log, policy } = options;
  const decided = policy?.decide(applicant);
  if (decided) return decided;
  const reason = typeof autosign === 'boolean' ? `autosign is ${autosign}` : `autosign by ${autosign}`;
  const action = (await autosigns(autosign, applicant.certname, pem, log)) ? 'sign' : 'hold';
  return { action, reason };
}
