/** Identity from the headers of a proxy that ended TLS, for installations that say so in `auth.conf`. */

import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../../lib/service-error.ts';
import type { OidNames } from '../../x509/index.ts';
import type { Identity } from '../route.ts';
import { readCertificate } from './peer.ts';

/**
 * Reads `X-Client-Verify`, `X-Client-DN` and `X-Client-Cert` (URL-encoded PEM).
 *
 * @throws ServiceError `bad-request` for a certificate that cannot be read
 * @see Puppet Server, "External SSL termination"
 */
export function headerIdentity(headers: IncomingHttpHeaders, address: string, oidNames: OidNames): Identity {
  const certname = commonNameOf(single(headers['x-client-dn']));
  if (single(headers['x-client-verify']) !== 'SUCCESS' || certname === undefined) {
    return { kind: 'anonymous', address };
  }
  const encoded = single(headers['x-client-cert']);
  const fromCertificate =
    encoded === undefined ? undefined : readHeaderCertificate(encoded, address, oidNames);
  const nothingMore = { extensions: {}, serial: '', raw: Buffer.alloc(0), address };
  return { ...(fromCertificate ?? { kind: 'certificate', ...nothingMore }), certname };
}

function readHeaderCertificate(
  encoded: string,
  address: string,
  oidNames: OidNames,
): Extract<Identity, { kind: 'certificate' }> {
  const pem = decoded(encoded);
  const count = pem.split('-----BEGIN CERTIFICATE-----').length - 1;
  if (count === 0) throw new ServiceError('bad-request', 'No certs found in PEM read from x-client-cert');
  if (count > 1) {
    throw new ServiceError(
      'bad-request',
      `Only 1 PEM should be supplied for x-client-cert but ${count} found`,
    );
  }
  try {
    const peer = readCertificate(new X509Certificate(pem).raw, address, oidNames);
    if (peer !== undefined) return peer.identity;
  } catch (cause) {
    throw new ServiceError('bad-request', 'Unable to parse x-client-cert into certificate', { cause });
  }
  throw new ServiceError('bad-request', 'Unable to parse x-client-cert into certificate');
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new ServiceError('bad-request', 'Unable to URL decode the x-client-cert header', { cause });
  }
}

/** From `CN=a,OU=b` (RFC 2253) or `/OU=b/CN=a` (OpenSSL's one line). */
function commonNameOf(dn: string | undefined): string | undefined {
  const match = dn?.startsWith('/') ? /\/CN=([^/]+)/i.exec(dn) : /(?:^|,)\s*CN\s*=\s*([^,]+)/i.exec(dn ?? '');
  return match?.[1]?.trim().toLowerCase();
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
