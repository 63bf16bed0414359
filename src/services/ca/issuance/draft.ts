/** Certificates to be signed, from an operator's order, a node's request, or an older certificate. */

import {
  type Certificate,
  type CertificateRequest,
  cliAuthOid,
  type Extension,
  type OidNames,
  parseAltNames,
  puppetExtension,
} from '../../../platform/x509/index.ts';
import {
  leafExtensions,
  renewedExtensions,
  requestedLeafExtensions,
  serviceExtensions,
} from './leaf-extensions.ts';
import type { Profile } from './lint.ts';
import type { CertificateOrder } from './orders.ts';
import type { SigningIdentity } from './signing-identity.ts';

/** A certificate that may be signed: all decisions have been taken. */
export interface Draft {
  readonly certname: string;
  readonly publicKeyInfo: Uint8Array;
  readonly extensions: readonly Extension[];
  readonly ttlSeconds: number;
  readonly profile: Profile;
  /** DER of the certificate that a renewal replaces. */
  readonly replaced?: Buffer;
}

type Issuer = Pick<SigningIdentity, 'keyId'>;

/** @param ttlSeconds - when the order says nothing else */
export function orderedDraft(
  order: CertificateOrder,
  { keyId }: Issuer,
  oidNames: OidNames,
  ttlSeconds: number,
): Draft {
  const { certname, publicKeyInfo, altNames = '', extensions = {}, isCaClient, isService } = order;
  const others = Object.entries(extensions).map(([name, value]) =>
    puppetExtension(oidNames.oid(name), value),
  );
  if (isCaClient) others.push(puppetExtension(cliAuthOid, 'true'));
  const names = parseAltNames(altNames);
  return {
    certname,
    publicKeyInfo,
    extensions: isService
      ? serviceExtensions(publicKeyInfo, names, keyId)
      : leafExtensions({ certname, publicKeyInfo }, names, keyId, others),
    ttlSeconds: order.ttlSeconds ?? ttlSeconds,
    profile: isService ? 'service' : isCaClient ? 'ca-client' : 'node',
  };
}

/** What a request asks for; that it may have it has been checked before. */
export function requestedDraft(
  certname: string,
  request: CertificateRequest,
  { keyId }: Issuer,
  ttlSeconds: number,
): Draft {
  const { publicKeyInfo } = request;
  return {
    certname,
    publicKeyInfo,
    extensions: requestedLeafExtensions(certname, request, keyId),
    ttlSeconds,
    profile: 'node',
  };
}

/** The same key, names and extensions as an older one. */
export function renewedDraft(
  certname: string,
  old: Certificate,
  { keyId }: Issuer,
  ttlSeconds: number,
): Draft {
  const { publicKeyInfo } = old;
  return {
    certname,
    publicKeyInfo,
    extensions: renewedExtensions(old.extensions, publicKeyInfo, keyId),
    ttlSeconds,
    profile: 'renewal',
    replaced: old.raw,
  };
}
