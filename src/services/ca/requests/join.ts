/** Requests that carry a secret in `challengePassword` with which compile servers join: signed without a person. */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  type CertificateRequest,
  type OidNames,
  oids,
  requestAttribute,
} from '../../../platform/x509/index.ts';
import type { SignOptions } from '../issuance/orders.ts';
import type { ApplicantIdentity } from './identity-test.ts';
import { parseSigningPolicy, type SigningPolicy } from './signing-policy.ts';

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
  grant(text: string, certname: string, keyDigest: string): Promise<JoinGrant>;
  /** @throws ServiceError `forbidden` when somebody else was faster */
  use(text: string, certname: string, keyDigest: string): Promise<void>;
}

/** What a token allows by itself, or an identity that was proved for this certname and key: rules say what that allows. */
export type JoinGrant =
  | { readonly certnames: readonly string[]; readonly altNames: readonly string[] }
  | { readonly identity: ApplicantIdentity };

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

/** A request that is to be judged by its grant. */
interface GrantedRequest {
  readonly certname: string;
  readonly request: CertificateRequest;
  readonly address: string | undefined;
}

/** What the authority judges by. */
interface JoinRules {
  readonly oidNames: OidNames;
  readonly policy: SigningPolicy | undefined;
}

/** What may be signed. */
export interface AllowedJoin {
  readonly options: Pick<SignOptions, 'allowAuthorizationExtensions' | 'allowSubjectAltNames' | 'ttlSeconds'>;
  /** Whether the certificate of another key is revoked first: the owner of the name has proved to want that. */
  readonly mayReplace: boolean;
  /** For the log. */
  readonly reason: string;
}

/**
 * Makes sure that the grant allows everything that is asked for.
 *
 * @throws ServiceError `forbidden` saying what it does not allow
 */
export async function allowedJoin(
  { joins, token }: Join,
  granted: GrantedRequest,
  rules: JoinRules,
): Promise<AllowedJoin> {
  const grant = await joins.grant(token, granted.certname, keyDigestOf(granted.request));
  return 'identity' in grant
    ? allowedByIdentity(grant.identity, granted, rules.policy)
    : allowedByToken(grant, granted, rules.oidNames);
}

function allowedByToken(
  grant: Exclude<JoinGrant, { readonly identity: unknown }>,
  { certname, request }: GrantedRequest,
  oidNames: OidNames,
): AllowedJoin {
  const common = { action: 'sign', certname: grant.certnames, alt_names: grant.altNames };
  const rules = [
    { name: 'the token', ...common, extensions: role },
    { name: 'the token, without a role', ...common },
  ];
  const policy = parseSigningPolicy(JSON.stringify({ default: 'refuse', rules }), 'join', oidNames);
  const { action, reason = '' } = policy.decide({ certname, request, address: undefined }) ?? {};
  const options = { allowSubjectAltNames: true, allowAuthorizationExtensions: true };
  if (action === 'sign') return { options, mayReplace: false, reason: 'a token to join with' };
  throw new ServiceError(
    'forbidden',
    `The token to join with does not allow what ${certname} asks for: ${reason}`,
  );
}

/** Servers that come by themselves also go: their certificates end soon unless they are renewed. */
const identityTtlSeconds = 30 * 24 * 60 * 60;

function allowedByIdentity(
  identity: ApplicantIdentity,
  granted: GrantedRequest,
  policy: SigningPolicy | undefined,
): AllowedJoin {
  const decision = policy?.decide({ ...granted, identity });
  const { action, allowsAltNames = false, allowsAuthorization = false } = decision ?? {};
  const reason = decision?.reason ?? 'no rule of signing_policy is for its identity';
  if (action !== 'sign')
    throw new ServiceError('forbidden', `${granted.certname} is not signed by its identity: ${reason}`);
  return {
    options: {
      allowSubjectAltNames: allowsAltNames,
      allowAuthorizationExtensions: allowsAuthorization,
      ttlSeconds: decision?.ttlSeconds ?? identityTtlSeconds,
    },
    mayReplace: identity.isKeyBound,
    reason,
  };
}

/** Names a key: SHA-256 of its SubjectPublicKeyInfo, lower-case hexadecimal. */
export function keyDigestOf({ publicKeyInfo }: Pick<CertificateRequest, 'publicKeyInfo'>): string {
  return createHash('sha256').update(publicKeyInfo).digest('hex');
}
