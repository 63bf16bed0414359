/** Joins proofs of identity with the authority. */

import { X509Certificate } from 'node:crypto';
import { decodeCertificate } from '../../platform/x509/index.ts';
import { type CertificateAuthority, type JoinTerminus, keyDigestOf } from '../../services/ca/index.ts';
import { IdentityRegister } from '../../services/identity/index.ts';

type Authority = Pick<CertificateAuthority, 'bundle' | 'findCertificate' | 'isValid' | 'policy'>;
type RegisterOptions = ConstructorParameters<typeof IdentityRegister>[0];

/** The register of who has proved what. */
export function identitiesWith({
  ca,
  ...options
}: Omit<RegisterOptions, 'certificates'> & { readonly ca: Authority }) {
  const certificates = certificatesOf(ca);
  const register = new IdentityRegister({ ...options, certificates });
  return {
    register,
    fingerprint: certificates.fingerprint,
    /** What the authority asks about secrets in requests. @param noteJoined - told of each server that uses a grant */
    joinsWith: (tokens: JoinTerminus, noteJoined: (certname: string) => Promise<void>) =>
      joinsWith(register, tokens, noteJoined),
  };
}

function joinsWith(
  register: IdentityRegister,
  tokens: JoinTerminus,
  noteJoined: (certname: string) => Promise<void>,
): JoinTerminus {
  return {
    isToken: (text) => register.isGrant(text) || tokens.isToken(text),
    async grant(text, certname, keyDigest) {
      if (!register.isGrant(text)) return tokens.grant(text, certname, keyDigest);
      return { identity: await register.find(text, certname, keyDigest) };
    },
    async use(text, certname, keyDigest) {
      if (!register.isGrant(text)) return tokens.use(text, certname, keyDigest);
      await register.use(text, certname, keyDigest);
      await noteJoined(certname);
    },
  };
}

function certificatesOf(ca: Authority) {
  return {
    fingerprint: () => new X509Certificate(ca.bundle).fingerprint256.replaceAll(':', '').toLowerCase(),
    async keyOf(certname: string): Promise<string | undefined> {
      const stored = await ca.findCertificate(certname);
      const certificate = stored && decodeCertificate(new X509Certificate(stored.content).raw);
      return certificate !== undefined && ca.isValid(certificate) ? keyDigestOf(certificate) : undefined;
    },
    takes: (provider: string) => ca.policy?.identityFields.has(provider) === true,
    obstacleTo: (certname: string, identity: Parameters<NonNullable<typeof ca.policy>['obstacleTo']>[1]) =>
      ca.policy === undefined ? 'there is no signing_policy' : ca.policy.obstacleTo(certname, identity),
  };
}
