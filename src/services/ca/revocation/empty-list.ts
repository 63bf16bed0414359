/** The first list of an authority that has revoked nothing yet. */

import {
  type Certificate,
  keyIdentifier,
  type RevocationList,
  readSubjectKeyId,
  type Signer,
  signRevocationList,
} from '../../../platform/x509/index.ts';
import { isSelfSigned } from '../chain.ts';
import { revocationListValidity } from '../validity.ts';

/**
 * @param issuer - the authority; the list of a root that signs no nodes is never signed again, so it lives as long
 * @param isRootOfOthers - whether it is such a root
 */
export function signEmptyList(
  issuer: Certificate,
  signer: Signer,
  now: Date,
  isRootOfOthers = false,
): Promise<RevocationList> {
  return signRevocationList(
    {
      issuer: issuer.subject,
      ...revocationListValidity(now),
      ...(isRootOfOthers && isSelfSigned(issuer) ? { nextUpdate: issuer.notAfter } : {}),
      number: 0n,
      authorityKeyId: readSubjectKeyId(issuer.extensions) ?? keyIdentifier(issuer.publicKeyInfo),
    },
    signer,
  );
}
