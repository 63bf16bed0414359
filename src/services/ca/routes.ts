/**
 * `/puppet-ca/v1/*` as Puppet Server has it: plain text for people, statuses that agents act upon.
 *
 * @see "CA HTTP API" in the Puppet Server documentation
 */

import { ServiceError } from '../../lib/service-error.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import { encodeCertificate } from '../../platform/x509/index.ts';
import type { CertificateAuthority } from './authority.ts';
import { isModifiedSince } from './http-date.ts';
import { statusRoutes } from './status-routes.ts';
import { plain } from './text-response.ts';
import { decodeCertnames, decodeClean } from './wire.ts';

const prefix = '/puppet-ca/v1';
const allow = { kind: 'rules' } as const;
/** A request with a 16,384-bit key and a page of extensions is below. */
const maxRequestBytes = 256 * 1024;

/** All routes of the certificate authority. */
export function caRoutes(ca: CertificateAuthority): readonly Route[] {
  return [...nodeRoutes(ca), ...bulkRoutes(ca), ...statusRoutes(ca)];
}

function nodeRoutes(ca: CertificateAuthority): Route[] {
  const requestPath = `${prefix}/certificate_request/:certname`;
  return [
    text('GET', `${prefix}/certificate/:certname`, (request) => getCertificate(ca, request)),
    text('GET', requestPath, async ({ params: { certname = '' } }) => {
      const pem = await ca.findRequest(certname);
      return pem === undefined
        ? plain(404, `Could not find certificate_request ${certname}`)
        : plain(200, pem);
    }),
    text('PUT', requestPath, async ({ params: { certname = '' }, body }) => {
      await ca.submitRequest(certname, (await body()).toString('latin1'));
      return plain(200, '');
    }),
    text('DELETE', requestPath, async ({ params: { certname = '' } }) => {
      await ca.deleteRequest(certname);
      return { status: 204 };
    }),
    text('GET', `${prefix}/certificate_revocation_list/:certname`, async ({ headers }) => {
      const { pem, modifiedAt } = ca.crl;
      return isModifiedSince(modifiedAt, headers['if-modified-since']) ? plain(200, pem) : notModified();
    }),
    text('POST', `${prefix}/certificate_renewal`, async ({ identity }) => {
      if (identity.kind !== 'certificate') throw noCertificate();
      return plain(200, encodeCertificate(await ca.renew(identity.raw)));
    }),
  ];
}

function bulkRoutes(ca: CertificateAuthority): Route[] {
  return [
    text('GET', `${prefix}/expirations`, async () => {
      const { caCerts, crls } = ca.expirations();
      return json(200, { 'ca-certs': caCerts, crls });
    }),
    text('PUT', `${prefix}/clean`, async ({ body }) => {
      const missing = await ca.clean(decodeClean(await body()));
      if (missing.length === 0) return plain(200, 'Successfully cleaned all certs.');
      const list = missing.map((name) => JSON.stringify(name)).join(' ');
      return plain(200, `The following certs do not exist and cannot be revoked: [${list}]`);
    }),
    text('POST', `${prefix}/sign`, async ({ body }) => {
      const certnames = decodeCertnames(await body());
      if (!certnames)
        return json(422, { kind: 'schema-violation', error: 'certnames must be a list of names' });
      return bulkResult(ca, certnames);
    }),
    text('POST', `${prefix}/sign/all`, () => bulkResult(ca)),
  ];
}

async function getCertificate(ca: CertificateAuthority, request: HttpRequest): Promise<HttpResponse> {
  const { certname = '' } = request.params;
  const found = await ca.findCertificate(certname);
  if (!found) return plain(404, `Could not find certificate ${certname}`);
  const isNew = isModifiedSince(found.modifiedAt, request.headers['if-modified-since']);
  return isNew ? plain(200, found.content) : notModified();
}

async function bulkResult(ca: CertificateAuthority, certnames?: readonly string[]): Promise<HttpResponse> {
  const { signed, noCsr, signingErrors } = await ca.signAll(certnames);
  return json(200, { signed, 'no-csr': noCsr, 'signing-errors': signingErrors });
}

function text(method: Route['method'], path: string, handle: Route['handle']): Route {
  return route({ method, path, allow, maxBodyBytes: maxRequestBytes, handle });
}

function notModified(): HttpResponse {
  return { status: 304, headers: { 'content-type': 'text/plain' } };
}

function json(status: number, value: unknown): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function noCertificate(): ServiceError {
  return new ServiceError('bad-request', 'No valid certificate found in renewal request');
}
