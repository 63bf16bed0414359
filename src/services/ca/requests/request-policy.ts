/**
 * What a certificate request may say. Each function returns the reason for a refusal, in Puppet Server's words, or
 * `undefined`; the order of the checks is the reference's, because it decides which reason is named.
 */

import { isInSubtree } from '../../../lib/der/index.ts';
import {
  type CertificateRequest,
  cliAuthOid,
  commonName,
  decodeExtensionText,
  type GeneralName,
  isSignedBy,
  keyWeakness,
  oids,
  puppetAuthorizationArc,
  puppetOid,
  puppetPrivateArc,
  puppetRegisteredArc,
  readSubjectAltNames,
  renderAltName,
} from '../../../platform/x509/index.ts';
import type { CaSettings } from '../ca-settings.ts';

export type ContentPolicy = Pick<
  CaSettings,
  'allowSubjectAltNames' | 'allowAuthorizationExtensions' | 'serverRoles'
>;

/** @param certname - as in the URL */
export function subjectProblem(certname: string, request: CertificateRequest): string | undefined {
  const subject = requestName(request);
  if (subject !== certname) return `Instance name "${subject}" does not match requested key "${certname}"`;
  if (certname !== certname.toLowerCase()) return 'Certificate names must be lower case.';
  if (subject.includes('*')) return `Subject contains a wildcard, which is not allowed: ${subject}`;
  return isHostname(subject) ? undefined : 'Subject hostname format is invalid';
}

/** What is wrong with the key: Puppet Server would sign it, TLS libraries would refuse the certificate. */
export function keyProblem(request: CertificateRequest): string | undefined {
  const weakness = keyWeakness(request.publicKeyInfo);
  return weakness && `CSR '${requestName(request)}' is refused: ${weakness}`;
}

/** What forbids to sign: names and extensions that are not allowed, or a signature that is not the key's. */
export function contentProblem(request: CertificateRequest, policy: ContentPolicy): string | undefined {
  return (
    altNameProblem(request, policy.allowSubjectAltNames) ??
    authorizationProblem(request, policy) ??
    extensionProblem(request) ??
    signatureProblem(request) ??
    keyProblem(request)
  );
}

/** The name that a request is for; empty when it has none. */
export function requestName(request: CertificateRequest): string {
  return commonName(request.subject) ?? '';
}

/** `IP:` before `DNS:`, which is the reference's order. */
export function sortedAltNames(names: readonly GeneralName[]): string[] {
  const of = (kind: GeneralName['kind']) => names.filter((name) => name.kind === kind).map(renderAltName);
  return [...of('ip'), ...of('dns')];
}

function altNameProblem(request: CertificateRequest, isAllowed: boolean): string | undefined {
  const names = readSubjectAltNames(request.extensions);
  if (names.some(({ kind }) => kind === 'other')) {
    return 'Only DNS and IP names are allowed in the Subject Alternative Names extension';
  }
  if (isAllowed) return undefined;
  const subject = requestName(request);
  const extra = sortedAltNames(names).filter((name) => name !== `DNS:${subject}`);
  if (extra.length === 0) return undefined;
  return [
    `CSR '${subject}' contains extra subject alternative names (${extra.join(', ')}), which are disallowed.`,
    'To allow subject alternative names, set allow-subject-alt-names to true in your ca.conf file.',
    'Then restart the puppetserver and try signing this certificate again.',
  ].join(' ');
}

/** Whether a request asks for rights by its role: `pp_role` with one of these values. */
export function asksForServerRole(request: CertificateRequest, roles: readonly string[]): boolean {
  const role = request.extensions.find(({ oid }) => oid === roleOid);
  return role !== undefined && roles.includes(decodeExtensionText(role.value));
}

const roleOid = puppetOid('pp_role');

function authorizationProblem(
  request: CertificateRequest,
  { allowAuthorizationExtensions, serverRoles }: ContentPolicy,
): string | undefined {
  if (allowAuthorizationExtensions) return undefined;
  if (asksForServerRole(request, serverRoles))
    return [
      `CSR '${requestName(request)}' asks for a pp_role that makes a compile server (compile_server_roles), which is disallowed.`,
      'To sign it, use --allow-authorization-extensions, or name pp_role in a rule of the signing_policy.',
    ].join(' ');
  if (!request.extensions.some(({ oid }) => isInSubtree(oid, puppetAuthorizationArc))) return undefined;
  return [
    `CSR '${requestName(request)}' contains an authorization extension, which is disallowed.`,
    'To allow authorization extensions, set allow-authorization-extensions to true in your ca.conf file.',
    'Then restart the puppetserver and try signing this certificate again.',
  ].join(' ');
}

function extensionProblem(request: CertificateRequest): string | undefined {
  const refused = request.extensions.filter(({ oid }) => !isPermitted(oid)).map(({ oid }) => oid);
  return refused.length === 0 ? undefined : `Found extensions that are not permitted: ${refused.join(', ')}`;
}

function isPermitted(oid: string): boolean {
  if (oid === cliAuthOid) return false;
  return (
    oid === oids.subjectAltName ||
    [puppetAuthorizationArc, puppetRegisteredArc, puppetPrivateArc].some((arc) => isInSubtree(oid, arc))
  );
}

function signatureProblem(request: CertificateRequest): string | undefined {
  return isSignedBy(request, request.publicKeyInfo)
    ? undefined
    : 'CSR contains a public key that does not correspond to the signing key';
}

function isHostname(subject: string): boolean {
  if (subject.length > 250 || subject.endsWith('-')) return false;
  // As in Java's split, empty segments at the end do not count.
  const segments = subject.replace(/\.+$/, '').split('.');
  return (
    /^[A-Za-z0-9_]/.test(subject) && segments.every((segment) => /^[A-Za-z0-9_-]*[A-Za-z0-9_]$/.test(segment))
  );
}
