/** Which earlier version of an environment somebody means. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { CodeStorage, StoredCommit } from '../termini.ts';
import { signatureIn } from './deploy-signature.ts';

export interface Earlier {
  /** Of file sync. */
  readonly commit: string;
  /** Of the control repository. */
  readonly signature: string | undefined;
}

/**
 * @param to - how the id of a commit begins, of file sync or of the control repository; what was served before what is
 * served now when absent
 * @throws ServiceError `not-found` when there is none, `bad-request` when several begin so
 */
export function findEarlier(
  storage: Pick<CodeStorage, 'current' | 'history'>,
  environment: string,
  to: string | undefined,
): Earlier {
  const history = storage.history(environment);
  if (history.length === 0)
    throw new ServiceError('not-found', `There is no environment '${environment}'`, {
      kind: 'puppetlabs.code-manager/unknown-environment',
    });
  const found = to === undefined ? before(history, storage.current()[environment]) : named(history, to);
  if (found === undefined)
    throw new ServiceError('not-found', noneText(environment, to), {
      kind: 'puppetlabs.code-manager/unknown-version',
    });
  return { commit: found.id, signature: signatureIn(found.message) };
}

function noneText(environment: string, to: string | undefined): string {
  return to === undefined
    ? `There is no earlier version of environment '${environment}'`
    : `There is no version ${to} of environment '${environment}' among those that are kept`;
}

function before(history: readonly StoredCommit[], current: string | undefined): StoredCommit | undefined {
  const index = history.findIndex(({ id }) => id === current);
  return history[index + 1];
}

/** Of several commits made from one of the control repository the latest. */
function named(history: readonly StoredCommit[], to: string): StoredCommit | undefined {
  if (!/^[0-9a-f]{4,40}$/i.test(to))
    throw new ServiceError('bad-request', `'${to}' is not the beginning of a commit's id`);
  const start = to.toLowerCase();
  const byId = history.filter(({ id }) => id.startsWith(start));
  const bySignature = history.filter(({ message }) => signatureIn(message)?.startsWith(start) === true);
  const signatures = new Set(bySignature.map(({ message }) => signatureIn(message)));
  if (byId.length > 1 || signatures.size > 1 || (byId.length > 0 && signatures.size > 0))
    throw new ServiceError('bad-request', `${to} is the beginning of several versions`);
  return byId[0] ?? bySignature[0];
}
