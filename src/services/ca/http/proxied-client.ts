/**
 * Who is meant by a request: the client at the other end of the connection, or the agent that a server of the
 * installation speaks for. Headers of anybody else mean nothing.
 */

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { ServiceError } from '../../../lib/service-error.ts';
import type { HttpRequest, Identity } from '../../../platform/http/index.ts';

type IsInfrastructure = (identity: Identity) => boolean;

/** What a CA proxy sends: the agent's certificate, URL-encoded PEM, and its address. */
const certificateHeader = 'x-client-cert';
const addressHeader = 'x-forwarded-for';
/** Says that there is an agent behind the request, with a certificate or without. */
const proxiedHeader = 'x-bunraku-proxied';

/** The certificate to renew, whose key its bearer has proved to have; `undefined` when there is none. */
export function renewalApplicant(
  request: HttpRequest,
  isInfrastructure: IsInfrastructure,
): { readonly der: Buffer; readonly isInfrastructure: boolean } | undefined {
  const { headers, identity } = request;
  if (identity.kind !== 'certificate') return undefined;
  if (!isInfrastructure(identity)) return { der: identity.raw, isInfrastructure: false };
  if (headers[proxiedHeader] === undefined) return { der: identity.raw, isInfrastructure: true };
  const encoded = headers[certificateHeader];
  return typeof encoded === 'string' ? { der: decodeHeader(encoded), isInfrastructure: false } : undefined;
}

/** Where a request came from in the first place. */
export function senderAddress(
  request: HttpRequest,
  isInfrastructure: IsInfrastructure = () => false,
): string {
  const { headers, identity } = request;
  const forwarded = headers[addressHeader];
  const isProxied = headers[proxiedHeader] !== undefined && isInfrastructure(identity);
  return isProxied && typeof forwarded === 'string' && isIP(forwarded) !== 0 ? forwarded : identity.address;
}

function decodeHeader(encoded: string): Buffer {
  try {
    return new X509Certificate(decodeURIComponent(encoded)).raw;
  } catch (cause) {
    throw new ServiceError('bad-request', 'No valid certificate found in renewal request', { cause });
  }
}
