/** What the signing process refuses to sign, whatever the server says: it reads the bytes and decides by itself. */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type CertificateContent,
  cliAuthOid,
  commonName,
  decodeCertificate,
  decodeCertificateContent,
  decodeRevocationListContent,
  isSignedBy,
  oids,
  serverAuth,
} from '../../../platform/x509/index.ts';
import { renewedExtensions } from '../issuance/leaf-extensions.ts';
import { lintCertificate, type Profile } from '../issuance/lint.ts';
import type { SigningIdentity } from '../issuance/signing-identity.ts';

type Issuer = Pick<SigningIdentity, 'bundleCertificates' | 'certificate' | 'keyId'>;

/**
 * Lets certificates pass that the lint accepts for one of the profiles, and lists of revoked certificates of this
 * authority. A certificate of an authority fits no profile.
 *
 * @param tbs - TBSCertificate or TBSCertList as DER
 * @param replaced - the certificate that a renewal replaces, as DER
 * @throws ServiceError `conflict` saying what is wrong, X509Error for what is neither
 */
export function checkBeforeSigning(tbs: Buffer, issuer: Issuer, now: Date, replaced?: Buffer): void {
  if (isRevocationList(tbs)) return checkList(tbs, issuer);
  const content = decodeCertificateContent(tbs);
  const certname = commonName(content.subject) ?? '';
  if (replaced !== undefined) {
    checkRenewal(content, decodeCertificate(replaced), issuer);
    return lintCertificate(content, { certname, profile: 'renewal', issuer, now });
  }
  lintCertificate(content, { certname, profile: profileOf(content), issuer, now });
}

/** The only profile that its extensions could fit: the lint then says everything that is wrong with it. */
function profileOf({ extensions }: CertificateContent): Profile {
  if (extensions.some(({ oid }) => oid === cliAuthOid)) return 'ca-client';
  const usage = extensions.find(({ oid }) => oid === oids.extendedKeyUsage);
  return usage?.value.equals(serverAuth().value) === true ? 'service' : 'node';
}

/** A TBSCertificate begins with its version in a tag of its own, a TBSCertList with a plain number. */
function isRevocationList(tbs: Buffer): boolean {
  const lengthOctet = tbs[1] ?? 0;
  const start = lengthOctet < 0x80 ? 2 : 2 + (lengthOctet & 0x7f);
  return tbs[start] === 0x02;
}

function checkList(tbs: Buffer, { certificate }: Issuer): void {
  const list = decodeRevocationListContent(tbs);
  if (!list.issuer.raw.equals(certificate.subject.raw))
    throw new ServiceError('conflict', 'Refusing to sign a CRL of another authority');
}

/** Nothing but the time may differ: rights that a certificate does not have cannot be had by renewing it. */
function checkRenewal(
  { extensions, publicKeyInfo, subject }: CertificateContent,
  old: ReturnType<typeof decodeCertificate>,
  { bundleCertificates, keyId }: Issuer,
): void {
  const wanted = renewedExtensions(old.extensions, publicKeyInfo, keyId);
  const isSame =
    bundleCertificates.some((one) => isSignedBy(old, one.publicKeyInfo)) &&
    subject.raw.equals(old.subject.raw) &&
    old.publicKeyInfo.equals(publicKeyInfo) &&
    wanted.length === extensions.length &&
    wanted.every(({ critical, oid, value }, index) => {
      const found = extensions[index];
      return found?.oid === oid && found.critical === critical && found.value.equals(value);
    });
  if (!isSame)
    throw new ServiceError('conflict', 'Refusing to renew a certificate with other names, rights or keys');
}
