/** Refusals in the reference's words. */

import { ServiceError } from '../../../lib/service-error.ts';

/** Throws when there is a problem. @param problem - in the words that the client is told */
export function refuse(reason: 'bad-request' | 'conflict' | 'not-found', problem: string | undefined): void {
  if (problem !== undefined) throw new ServiceError(reason, problem, { kind: 'puppet-ca/refused' });
}

/** What cannot be done in the state that things are in. */
export function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message, { kind: 'puppet-ca/refused' });
}
