/** Requests that carry a secret in `challengePassword` with which compile servers join: signed without a person. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type CertificateRequest,
  type OidNames,
  oids,
  requestAttribute,
} from '../../../platform/x509/index.ts';
import { parseSigningPolicy } from './signing-policy.ts';

/** Who knows the secrets. */
export interface JoinTerminus {
  /** Whether a text is meant as such a secret. */
  isToken(text: string): boolean;
  /**
   * What the secret allows, as patterns of a signing policy.
   *
   * @param keyDigest - names the key: with one that has used the secret before it is used no second time
   * @throws ServiceError `forbidden` saying why it does not count
   */
  grant(
    text: string,
    certname: string,
    keyDigest: string,
  ): Promise<{ readonly certnames: readonly string[]; readonly altNames: readonly string[] }>;
  /** @throws ServiceError `forbidden` when somebody else was faster */
  use(text: string, certname: string, keyDigest: string): Promise<void>;
}

/** What is known of a request beside its content. */
export interface RequestSender {
  /** Where it came from. */
  readonly address?: string | undefined;
  readonly joins?: JoinTerminus | undefined;
}

/** The role that the secret gives; no other right is signed with it. */
const role = { pp_auth_role: 'pe_compiler' };

/** The secret of a request, and who knows what it is good for. */
export interface Join {
  readonly token: string;
  readonly joins: JoinTerminus;
}

/** @returns `undefined` for a request without a secret */
export function joinOf(request: CertificateRequest, joins: JoinTerminus | undefined): Join | undefined {
  const password = requestAttribute(request, oids.challengePassword);
  if (joins === undefined || password === undefined || !joins.isToken(password)) return undefined;
  return { token: password, joins };
}

/**
 * Makes sure that the secret allows everything that is asked for.
 *
 * @throws ServiceError `forbidden` saying what it does not allow
 */
export async function checkJoin(
  { joins, token }: Join,
  { certname, oidNames, request }: { certname: string; oidNames: OidNames; request: CertificateRequest },
): Promise<void> {
  const grant = await joins.grant(token, certname, keyDigestOf(request));
  const common = { action: 'sign', certname: grant.certnames, alt_names: grant.altNames };
  const rules = [
    { name: 'the token', ...common, extensions: role },
    { name: 'the token, without a role', ...common },
  ];
  const policy = parseSigningPolicy(JSON.stringify({ default: 'refuse', rules }), 'join', oidNames);
  const { action, reason } = policy.decide({ certname, request, address: undefined }) ?? {};
  if (action === 'sign') return;
  throw new ServiceError(
    'forbidden',
    `The token to join with does not allow what ${certname} asks for: ${reason}`,
  );
}

export function keyDigestOf({ publicKeyInfo }: CertificateRequest): string {
  return createHash('sha256').update(publicKeyInfo).digest('hex');
}
