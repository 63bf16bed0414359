/**
 * The last check before the authority's key signs: is this a certificate that the authority means to sign?
 *
 * It reads the encoded bytes and knows the expected encodings by itself, so that a mistake in the code that decides or
 * encodes shows here. The idea is Boulder's ("linting"); the rules are RFC 5280's and Puppet Server's profile.
 */

import { isInSubtree } from '../../../lib/der/index.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type CertificateContent,
  cliAuthOid,
  commonName,
  type Extension,
  isCaExtensions,
  keyIdentifier,
  keyWeakness,
  oids,
  puppetArc,
  readAuthorityKeyId,
  readSubjectAltNames,
  readSubjectKeyId,
} from '../../../platform/x509/index.ts';
import type { SigningIdentity } from './signing-identity.ts';

/**
 * What a certificate is for: `node`, `ca-client` (a node with `pp_cli_auth`), `service` (a port), `renewal` (what an
 * older certificate had, perhaps one of another CA program's profile).
 */
export type Profile = 'node' | 'ca-client' | 'service' | 'renewal';

export interface Expected {
  readonly certname: string;
  readonly profile: Profile;
  readonly issuer: Pick<SigningIdentity, 'certificate' | 'keyId'>;
  readonly now: Date;
}

/** DER of the extensions' values, in hexadecimal. */
const encodings = {
  notCa: '3000',
  digitalSignatureAndKeyEncipherment: '030205a0',
  serverAndClientAuth: '301406082b0601050507030106082b06010505070302',
  serverAuth: '300a06082b06010505070301',
} as const;

const mayBeCritical: readonly string[] = [oids.basicConstraints, oids.keyUsage, oids.extendedKeyUsage];

/** The extensions of every certificate that is not a renewal, apart from Puppet's. */
const profileExtensions: readonly string[] = [
  ...mayBeCritical,
  oids.subjectAltName,
  oids.netscapeComment,
  oids.authorityKeyIdentifier,
  oids.subjectKeyIdentifier,
];

/**
 * @param content - as decoded from the bytes to be signed
 * @throws ServiceError `conflict` naming the certificate and everything that is wrong with it
 */
export function lintCertificate(content: CertificateContent, expected: Expected): void {
  const problems = [
    ...nameProblems(content, expected),
    ...validityProblems(content, expected),
    ...keyProblems(content, expected),
    ...altNameProblems(content.extensions, expected),
    ...(expected.profile === 'renewal'
      ? renewalProblems(content.extensions)
      : profileProblems(content.extensions, expected.profile)),
    ...rightsProblems(content.extensions, expected.profile),
  ];
  if (problems.length > 0) throw refused(expected.certname, problems);
}

/**
 * The same for a certificate of an authority.
 *
 * @throws ServiceError `conflict`
 */
export function lintAuthorityCertificate(content: CertificateContent): void {
  const { extensions, notAfter, notBefore, publicKeyInfo, subject } = content;
  const usage = valueOf(extensions, oids.keyUsage);
  const weakness = keyWeakness(publicKeyInfo);
  const problems = [
    ...(isCaExtensions(extensions) ? [] : ['basicConstraints do not say CA:TRUE']),
    ...(usage === undefined || signsCertificates(usage) ? [] : ['keyUsage lacks keyCertSign']),
    ...(notBefore < notAfter ? [] : [`it ends at ${notAfter.toISOString()}, before it begins`]),
    ...(weakness === undefined ? [] : [weakness]),
  ];
  if (problems.length > 0) throw refused(commonName(subject) ?? 'the authority', problems);
}

function nameProblems({ issuer, subject, serial }: CertificateContent, expected: Expected): string[] {
  const problems: string[] = [];
  const [name, ...others] = subject.attributes;
  if (name?.oid !== oids.commonName || name.value !== expected.certname || others.length > 0)
    problems.push('the subject is not the certname alone');
  if (!issuer.raw.equals(expected.issuer.certificate.subject.raw))
    problems.push('the issuer is not this authority');
  if (/^0*$/.test(serial) || serial.length > 40)
    problems.push(`the serial number 0x${serial} is not positive or longer than 20 octets`);
  return problems;
}

function validityProblems(
  { notAfter, notBefore }: CertificateContent,
  { issuer: { certificate }, now }: Expected,
): string[] {
  if (notBefore > certificate.notAfter)
    return [
      `the authority has ended at ${certificate.notAfter.toISOString()}: set the clock, or use bunraku ca extend`,
    ];
  if (notBefore > now) return [`it is not valid before ${notBefore.toISOString()}`];
  return notBefore < notAfter ? [] : [`it ends at ${notAfter.toISOString()}, before it begins`];
}

function keyProblems({ extensions, publicKeyInfo }: CertificateContent, { issuer }: Expected): string[] {
  const weakness = keyWeakness(publicKeyInfo);
  if (weakness !== undefined) return [weakness];
  const problems: string[] = [];
  if (issuer.certificate.publicKeyInfo.equals(publicKeyInfo)) problems.push("its key is the authority's own");
  if (readSubjectKeyId(extensions)?.equals(keyIdentifier(publicKeyInfo)) !== true)
    problems.push('subjectKeyIdentifier is not that of its key');
  if (readAuthorityKeyId(extensions)?.equals(issuer.keyId) !== true)
    problems.push("authorityKeyIdentifier is not that of the authority's key");
  return problems;
}

function altNameProblems(extensions: readonly Extension[], { certname, profile }: Expected): string[] {
  const names = readSubjectAltNames(extensions);
  const problems = names.flatMap(({ kind, value }) => {
    if (kind === 'ip' || (kind === 'dns' && /^[ -~]{1,253}$/.test(value))) return [];
    return [`the alternative name ${JSON.stringify(value)} is neither a DNS name nor an IP address`];
  });
  const isNode = profile === 'node' || profile === 'ca-client';
  if (isNode && !names.some(({ kind, value }) => kind === 'dns' && value === certname))
    problems.push('the certname is not among the alternative names');
  if (profile === 'service' && names.length === 0) problems.push('there are no alternative names');
  return problems;
}

/** Each standard extension has exactly one right value. */
function profileProblems(extensions: readonly Extension[], profile: Profile): string[] {
  const purposes = profile === 'service' ? encodings.serverAuth : encodings.serverAndClientAuth;
  const wanted: readonly (readonly [string, string, string])[] = [
    ['basicConstraints', oids.basicConstraints, encodings.notCa],
    ['keyUsage', oids.keyUsage, encodings.digitalSignatureAndKeyEncipherment],
    ['extendedKeyUsage', oids.extendedKeyUsage, purposes],
  ];
  const wrong = wanted.filter(([, oid, der]) => {
    const found = extensions.find((extension) => extension.oid === oid);
    return found === undefined || !found.critical || found.value.toString('hex') !== der;
  });
  const foreign = extensions.filter(
    ({ oid }) => !profileExtensions.includes(oid) && (profile === 'service' || !isInSubtree(oid, puppetArc)),
  );
  const critical = extensions.filter(({ critical, oid }) => critical && !mayBeCritical.includes(oid));
  return [
    ...wrong.map(([name]) => `${name} is missing, not critical or has the wrong value`),
    ...foreign.map(({ oid }) => `the extension ${oid} does not belong there`),
    ...critical.map(({ oid }) => `the extension ${oid} is critical`),
  ];
}

/** An older certificate may have another profile, but never the rights of an authority. */
function renewalProblems(extensions: readonly Extension[]): string[] {
  const usage = valueOf(extensions, oids.keyUsage);
  return [
    ...(isCaExtensions(extensions) ? ['basicConstraints say CA:TRUE'] : []),
    ...(usage !== undefined && signsCertificates(usage) ? ['keyUsage says keyCertSign or cRLSign'] : []),
    ...extensions
      .filter(({ critical, oid }) => critical && isInSubtree(oid, puppetArc))
      .map(({ oid }) => `the extension ${oid} is critical`),
  ];
}

function rightsProblems(extensions: readonly Extension[], profile: Profile): string[] {
  const isCaClient = extensions.some(({ oid }) => oid === cliAuthOid);
  const mayBe = profile === 'ca-client' || profile === 'renewal';
  return isCaClient && !mayBe ? [`the extension ${cliAuthOid} (pp_cli_auth) was not asked for`] : [];
}

function valueOf(extensions: readonly Extension[], oid: string): Buffer | undefined {
  return extensions.find((extension) => extension.oid === oid)?.value;
}

/** @param usage - the BIT STRING: tag, length, unused bits, then keyCertSign as 0x04 and cRLSign as 0x02 */
function signsCertificates(usage: Buffer): boolean {
  return ((usage[3] ?? 0) & 0x06) !== 0;
}

function refused(name: string, problems: readonly string[]): ServiceError {
  return new ServiceError('conflict', `Refusing to sign a certificate for ${name}: ${problems.join('; ')}`, {
    kind: 'puppet-ca/lint',
    details: { problems },
  });
}
