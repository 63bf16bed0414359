/** What the settings, and the operator who signs, let requests have. */

import { ServiceError } from '../../../lib/service-error.ts';
import { type CertificateRequest, fingerprint } from '../../../platform/x509/index.ts';
import type { CaSettings } from '../ca-settings.ts';
import type { CertificateRegister } from '../directory/certificate-register.ts';
import type { SignOptions } from '../issuance/orders.ts';
import { refuse } from './refusal.ts';
import { type ContentPolicy, contentProblem, requestName } from './request-policy.ts';

/** What the settings allow, and the person who signs. */
export function policyFor(
  settings: ContentPolicy,
  {
    allowAuthorizationExtensions = false,
    allowSubjectAltNames = false,
    ignoresSettings = false,
  }: SignOptions,
): ContentPolicy {
  const { serverRoles } = settings;
  if (ignoresSettings) return { serverRoles, allowSubjectAltNames, allowAuthorizationExtensions };
  return {
    serverRoles,
    allowSubjectAltNames: settings.allowSubjectAltNames || allowSubjectAltNames,
    allowAuthorizationExtensions: settings.allowAuthorizationExtensions || allowAuthorizationExtensions,
  };
}

/** What a person can do about a request that may not be signed. @param problem - as `contentProblem` says it */
export function remediesFor(problem: string): readonly string[] {
  if (problem.includes('extra subject alternative names'))
    return [
      'bunraku ca sign --certname NAME --allow-dns-alt-names',
      'alt_names in a rule of signing_policy',
      'allow_subject_alt_names = true',
    ];
  if (problem.includes('contains an authorization extension'))
    return [
      'bunraku ca sign --certname NAME --allow-authorization-extensions',
      'extensions in a rule of signing_policy',
      'allow_authorization_extensions = true',
    ];
  if (problem.includes('asks for a pp_role'))
    return [
      'bunraku ca sign --certname NAME --allow-authorization-extensions',
      'pp_role in a rule of signing_policy',
    ];
  return [];
}

/**
 * Why a request waits for a person, and what lets it be signed.
 *
 * @returns one line for people; `undefined` for a request that only waits for a decision
 */
export function heldBecause(request: CertificateRequest, policy: ContentPolicy): string | undefined {
  const problem = contentProblem(request, policy);
  if (problem === undefined) return undefined;
  const name = requestName(request);
  const reason = problem.replace(/( which are disallowed\.| which is disallowed\.).*/, '$1');
  const remedies = remediesFor(problem).map((remedy) => remedy.replace('NAME', () => name));
  return remedies.length === 0 ? reason : `${reason} To sign it: ${remedies.join('; or: ')}`;
}

/** @throws ServiceError `conflict` when the request is not the one that the person who signs has looked at */
export function checkFingerprint(
  certname: string,
  request: CertificateRequest,
  { fingerprint: expected }: SignOptions,
): void {
  const actual = fingerprint(request.raw);
  if (expected === undefined || actual.replaceAll(':', '').toLowerCase() === expected) return;
  refuse(
    'conflict',
    `The certificate request of ${certname} has been replaced: its fingerprint is ${actual}`,
  );
}

/** @throws ServiceError `unavailable` when too many requests wait already */
export function checkRoom(
  register: CertificateRegister,
  { maxPendingRequests }: Pick<CaSettings, 'maxPendingRequests'>,
  certname: string,
): void {
  if (register.isPending(certname) || register.pendingCount < maxPendingRequests) return;
  throw new ServiceError(
    'unavailable',
    `${register.pendingCount} certificate requests are waiting already; sign or delete some of them first`,
    { details: { retryAfterSeconds: 600 } },
  );
}

/** @throws ServiceError `bad-request` for a name that has a certificate, where that is not allowed */
export async function checkDuplicate(
  register: CertificateRegister,
  { allowDuplicateCerts }: Pick<CaSettings, 'allowDuplicateCerts'>,
  subject: string,
): Promise<void> {
  if (allowDuplicateCerts) return;
  const state = await register.findState(subject);
  if (state === undefined) return;
  refuse('bad-request', `${subject} already has a ${state} certificate; ignoring certificate request`);
}
