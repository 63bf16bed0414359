/** The extensions of a node's certificate, in the order in which Puppet Server writes them. */

import { isInSubtree } from '../../../lib/der/index.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type CertificateRequest,
  type Extension,
  type GeneralName,
  keyIdentifier,
  keyUsage,
  netscapeComment,
  oids,
  puppetArc,
  readSubjectAltNames,
  serverAndClientAuth,
  serverAuth,
  subjectAltName,
  subjectKeyIdentifier,
} from '../../../platform/x509/index.ts';

export const puppetComment = 'Puppet Server Internal Certificate';

/**
 * @param altNames - the certname is added when it is not among them
 * @param issuerKeyId - of the signing key
 * @param others - Puppet's own extensions
 */
export function leafExtensions(
  subject: { readonly certname: string; readonly publicKeyInfo: Uint8Array },
  altNames: readonly GeneralName[],
  issuerKeyId: Uint8Array,
  others: readonly Extension[],
): Extension[] {
  const { certname, publicKeyInfo } = subject;
  const hasOwnName = altNames.some(({ kind, value }) => kind === 'dns' && value === certname);
  const names: readonly GeneralName[] = hasOwnName
    ? altNames
    : [...altNames, { kind: 'dns', value: certname }];
  return [
    subjectAltName(names),
    netscapeComment(puppetComment),
    authorityKeyIdentifier(issuerKeyId),
    subjectKeyIdentifier(keyIdentifier(publicKeyInfo)),
    basicConstraints(false),
    serverAndClientAuth(),
    keyUsage('server'),
    ...others,
  ];
}

/** The extensions of a certificate for a port: clients find it under the names of its host. */
export function serviceExtensions(
  publicKeyInfo: Uint8Array,
  altNames: readonly GeneralName[],
  issuerKeyId: Uint8Array,
): Extension[] {
  return [
    subjectAltName(altNames),
    netscapeComment(puppetComment),
    authorityKeyIdentifier(issuerKeyId),
    subjectKeyIdentifier(keyIdentifier(publicKeyInfo)),
    basicConstraints(false),
    serverAuth(),
    keyUsage('server'),
  ];
}

/**
 * The same for what a request asks for; that it may have it has been checked before.
 *
 * None is critical, whatever the request says: TLS libraries refuse certificates with critical extensions that they
 * do not know, and they know none of Puppet's.
 */
export function requestedLeafExtensions(
  certname: string,
  request: CertificateRequest,
  issuerKeyId: Uint8Array,
): Extension[] {
  const others = request.extensions
    .filter(({ oid }) => oid !== oids.subjectAltName)
    .map((extension) => ({ ...extension, critical: false }));
  const subject = { certname, publicKeyInfo: request.publicKeyInfo };
  return leafExtensions(subject, readSubjectAltNames(request.extensions), issuerKeyId, others);
}

/** A renewed certificate keeps what the old one had, except for what names keys; Puppet's own are not critical. */
export function renewedExtensions(
  old: readonly Extension[],
  publicKeyInfo: Uint8Array,
  issuerKeyId: Uint8Array,
): Extension[] {
  const replaced: readonly string[] = [oids.authorityKeyIdentifier, oids.subjectKeyIdentifier];
  return [
    ...old
      .filter(({ oid }) => !replaced.includes(oid))
      .map((extension) =>
        isInSubtree(extension.oid, puppetArc) ? { ...extension, critical: false } : extension,
      ),
    authorityKeyIdentifier(issuerKeyId),
    subjectKeyIdentifier(keyIdentifier(publicKeyInfo)),
  ];
}
