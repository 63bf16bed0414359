/**
 * Newer lists of the authorities above, as their owners publish them.
 *
 * @see "Certificate Revocation List", PUT, in the Puppet Server documentation
 */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Certificate,
  decodeRevocationLists,
  isSignedBy,
  oids,
  type RevocationList,
  renderName,
  X509Error,
} from '../../../platform/x509/index.ts';
import type { Revocations } from './revocations.ts';

/**
 * The lists that `pem` brings in place of those of the same issuers, where they are newer. Our own list is never
 * replaced.
 *
 * @param chain - the authority's certificates
 * @throws ServiceError `bad-request` in the reference's words
 */
export function updatedLists(
  pem: string,
  current: Revocations,
  chain: readonly Certificate[],
  now: Date,
): readonly RevocationList[] {
  const incoming = decode(pem);
  if (incoming.length === 0) throw refused('No valid CRLs submitted.');
  if (incoming.some((list) => list.authorityKeyId === undefined))
    throw refused('One or more submitted CRLs do not have an authority key identifier.');
  const updated = current.others.map((list) => newest(list, incoming));
  for (const list of updated) {
    if (list.extensions.some(({ oid }) => oid === oids.deltaCrlIndicator))
      throw refused('Cannot support delta CRL.');
  }
  checkChain(chain, [current.own, ...updated], now);
  return updated;
}

function decode(pem: string): readonly RevocationList[] {
  try {
    return decodeRevocationLists(pem);
  } catch (error) {
    if (error instanceof X509Error) throw refused(`Invalid certs and/or CRLs: ${error.message}`);
    throw error;
  }
}

function newest(list: RevocationList, incoming: readonly RevocationList[]): RevocationList {
  const others = incoming.filter(
    (other) =>
      !other.raw.equals(list.raw) &&
      list.authorityKeyId !== undefined &&
      other.authorityKeyId?.equals(list.authorityKeyId) === true,
  );
  const distinct = others.filter(
    (other, index) => others.findIndex(({ raw }) => raw.equals(other.raw)) === index,
  );
  const candidates = [list, ...distinct];
  const highest = candidates.map(({ number }) => number ?? -1n).reduce((a, b) => (b > a ? b : a));
  const [first, ...more] = candidates.filter(({ number }) => (number ?? -1n) === highest);
  if (first === undefined || more.length > 0) throw refused('Could not determine newest CRL.');
  return first;
}

/** Each list must be its issuer's, in force, and revoke none of the authorities. */
function checkChain(chain: readonly Certificate[], lists: readonly RevocationList[], now: Date): void {
  for (const list of lists) {
    const issuer = chain.find(({ subject }) => subject.raw.equals(list.issuer.raw));
    const name = renderName(list.issuer);
    if (!issuer || !isSignedBy(list, issuer.publicKeyInfo))
      throw refused(
        `Invalid certs and/or CRLs: the CRL of ${name} is not signed by an authority of the chain`,
      );
    if (now < list.thisUpdate)
      throw refused(`Invalid certs and/or CRLs: the CRL of ${name} is not valid yet`);
    if (list.nextUpdate && list.nextUpdate < now)
      throw refused(`Invalid certs and/or CRLs: the CRL of ${name} has expired`);
    const revoked = chain.find(
      (certificate) =>
        certificate.issuer.raw.equals(list.issuer.raw) && list.revokedSerials.has(certificate.serial),
    );
    if (revoked) throw refused(`Invalid certs and/or CRLs: ${renderName(revoked.subject)} is revoked`);
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('bad-request', message, { kind: 'puppet-ca/refused' });
}
