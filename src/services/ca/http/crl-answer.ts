/** GET certificate_revocation_list: at once for agents, as soon as there is a new one for servers that follow it. */

import {
  changeWithin,
  type HttpRequest,
  type HttpResponse,
  preferredWait,
} from '../../../platform/http/index.ts';
import type { CertificateAuthority } from '../authority.ts';
import type { CrlState } from '../revocation/revocations.ts';
import { isModifiedSince } from './http-date.ts';

/**
 * Puppet's own clients are answered by `If-Modified-Since`. Who sends `Prefer: wait=SECONDS` (RFC 7240) with the
 * `ETag` of its copy gets the answer when the list changes, or 304 when the time is over; always the whole list.
 */
export async function crlAnswer(
  ca: CertificateAuthority,
  request: HttpRequest,
  stopping: AbortSignal | undefined,
): Promise<HttpResponse> {
  const { headers } = request;
  const seconds = preferredWait(request);
  // Who has no certificate could hold connections open for nothing.
  if (seconds === undefined || request.identity.kind !== 'certificate') {
    const crl = ca.agentCrl;
    return isModifiedSince(crl.modifiedAt, headers['if-modified-since']) ? found(crl, {}) : notModified({});
  }
  const known = headers['if-none-match'];
  if (ca.crl.etag === known)
    await changeWithin({
      seconds,
      onChange: (listener) => ca.onCrlChange(listener),
      signals: [request.signal, ...(stopping === undefined ? [] : [stopping])],
    });
  const tag = { etag: ca.crl.etag };
  return ca.crl.etag === known ? notModified(tag) : found(ca.crl, tag);
}

function found(crl: CrlState, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 200, headers: { 'content-type': 'text/plain', ...headers }, body: crl.pem };
}

function notModified(headers: Readonly<Record<string, string>>): HttpResponse {
  return { status: 304, headers: { 'content-type': 'text/plain', ...headers } };
}
