/**
 * `/puppet-ca/v1/*` as Puppet Server has it: plain text for people, statuses that agents act upon.
 *
 * @see "CA HTTP API" in the Puppet Server documentation
 */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  type HttpRequest,
  type HttpResponse,
  type Identity,
  type Route,
  route,
  withShapes,
} from '../../../platform/http/index.ts';
import { legacyCaPaths } from '../../../platform/indirection/index.ts';
import { encodeCertificate } from '../../../platform/x509/index.ts';
import { type Expirations, ExpirationsWire, type SignedAnswer, SignedWire } from '../answers/wire.ts';
import type { CertificateAuthority } from '../authority.ts';
import type { JoinTerminus } from '../requests/join.ts';
import type { CaHealth } from '../revocation/maintenance.ts';
import { renderTime } from '../validity.ts';
import { type RecordChange, recordCertificates } from './certificate-changes.ts';
import { bulkSignOptions, type CertificateRight, usersWith } from './certificate-rights.ts';
import { crlAnswer } from './crl-answer.ts';
import { isModifiedSince } from './http-date.ts';
import { renewalApplicant, senderAddress } from './proxied-client.ts';
import { type StatusAccess, statusRoutes } from './status-routes.ts';
import { plain } from './text-response.ts';
import { CertnamesWire, decodeCertnames, decodeClean } from './wire.ts';

const prefix = '/puppet-ca/v1';
const rules = { kind: 'rules' } as const;
/** A request with a 16,384-bit key and a page of extensions is below. */
const maxRequestBytes = 256 * 1024;

export interface CaRouteOptions {
  /** Servers of the installation: they speak for agents that only reach them, and may always renew. */
  readonly isInfrastructure?: (identity: Identity) => boolean;
  /** Who may use the status endpoints, where `ca.conf` says so in the old way; `auth.conf` decides when absent. */
  readonly statusAccess?: StatusAccess;
  /** Whether a further client may use them; no further clients when absent. */
  readonly isNamed?: (certname: string) => boolean;
  /** Secrets with which servers join; none when absent. */
  readonly joins?: JoinTerminus;
  /** Keeps what operators do with certificates; nothing is kept when absent. */
  readonly record?: RecordChange;
  /** Ends what waits for a new CRL. */
  readonly stopping?: AbortSignal;
}

/** All routes of the certificate authority, those of Puppet 3 (`/<environment>/certificate/...`) included. */
export function caRoutes(ca: CertificateAuthority, options: CaRouteOptions = {}): readonly Route[] {
  const { isNamed, record, statusAccess: access } = options;
  const named = [...nodeRoutes(ca, options), ...statusRoutes(ca, { access, isNamed, record })];
  return [...named, ...bulkRoutes(ca, options), ...legacyCaPaths(named)];
}

function nodeRoutes(ca: CertificateAuthority, options: CaRouteOptions): Route[] {
  const requestPath = `${prefix}/certificate_request/:certname`;
  return [
    text('GET', `${prefix}/certificate/:certname`, rules, (request) => getCertificate(ca, request)),
    text('GET', requestPath, rules, async ({ params: { certname = '' } }) => {
      const pem = await ca.findRequest(certname);
      return pem === undefined
        ? plain(404, `Could not find certificate_request ${certname}`)
        : plain(200, pem);
    }),
    text('PUT', requestPath, rules, async (request) => {
      const { certname = '' } = request.params;
      const pem = (await request.body()).toString('latin1');
      const address = senderAddress(request, options.isInfrastructure);
      await ca.submitRequest(certname, pem, { address, joins: options.joins });
      return plain(200, '');
    }),
    text('DELETE', requestPath, rulesOr('decide'), async (request) => {
      const { certname = '' } = request.params;
      await ca.deleteRequest(certname);
      await recordCertificates(options.record, request, 'reject', [certname]);
      return { status: 204 };
    }),
    text('GET', `${prefix}/certificate_revocation_list/:certname`, rules, (request) =>
      crlAnswer(ca, request, options.stopping),
    ),
  ];
}

function bulkRoutes(ca: CertificateAuthority, { isInfrastructure = never, record }: CaRouteOptions): Route[] {
  return [
    text('POST', `${prefix}/certificate_renewal`, rules, async (request) => {
      const applicant = renewalApplicant(request, isInfrastructure);
      if (applicant === undefined) throw noCertificate();
      return plain(200, encodeCertificate(await ca.renew(applicant.der, applicant.isInfrastructure)));
    }),
    crlUpdateRoute(ca),
    withShapes(
      { answer: ExpirationsWire },
      text('GET', `${prefix}/expirations`, rules, async () => {
        const { certificates, lists } = ca.health;
        return json(200, { 'ca-certs': ends(certificates), crls: ends(lists) } satisfies Expirations);
      }),
    ),
    withShapes(
      { body: CertnamesWire },
      text('PUT', `${prefix}/clean`, rulesOr('revoke'), async (request) => {
        const certnames = decodeClean(await request.body());
        const missing = await ca.clean(certnames);
        const cleaned = certnames.filter((certname) => !missing.includes(certname));
        await recordCertificates(record, request, 'clean', cleaned);
        if (missing.length === 0) return plain(200, 'Successfully cleaned all certs.');
        const list = missing.map((name) => JSON.stringify(name)).join(' ');
        return plain(200, `The following certs do not exist and cannot be revoked: [${list}]`);
      }),
    ),
    withShapes(
      { body: CertnamesWire, answer: SignedWire },
      text('POST', `${prefix}/sign`, rulesOr('decide'), async (request) => {
        const { certnames, submitted } = decodeCertnames(await request.body());
        if (certnames === undefined)
          return json(422, {
            kind: 'schema-violation',
            submitted,
            error: 'certnames must be a list of names',
          });
        return signMany(ca, request, record, certnames);
      }),
    ),
    withShapes(
      { answer: SignedWire },
      text('POST', `${prefix}/sign/all`, rulesOr('decide'), (request) => signMany(ca, request, record)),
    ),
  ];
}

/** Lists of 20,000 entries have a megabyte, and there may be several. */
function crlUpdateRoute(ca: CertificateAuthority): Route {
  const path = `${prefix}/certificate_revocation_list`;
  return route({
    method: 'PUT',
    path,
    allow: rules,
    maxBodyBytes: 32 * 1024 * 1024,
    async handle({ body }) {
      await ca.updateCrls((await body()).toString('latin1'));
      return plain(200, 'Successfully updated CRLs.');
    },
  });
}

/** By common name. */
function ends(entries: CaHealth['lists']): Record<string, string> {
  return Object.fromEntries(entries.map(({ endsAt, name }) => [name, endsAt ? renderTime(endsAt) : '']));
}

async function getCertificate(ca: CertificateAuthority, request: HttpRequest): Promise<HttpResponse> {
  const { certname = '' } = request.params;
  const found = await ca.findCertificate(certname);
  if (!found) return plain(404, `Could not find certificate ${certname}`);
  const isNew = isModifiedSince(found.modifiedAt, request.headers['if-modified-since']);
  return isNew ? plain(200, found.content) : notModified();
}

async function signMany(
  ca: CertificateAuthority,
  request: HttpRequest,
  record: RecordChange | undefined,
  certnames?: readonly string[],
): Promise<HttpResponse> {
  const { signed, noCsr, signingErrors } = await ca.signAll(certnames, bulkSignOptions(request));
  await recordCertificates(record, request, 'sign', signed);
  const answer: SignedAnswer = { signed, 'no-csr': noCsr, 'signing-errors': signingErrors };
  return json(200, answer);
}

/** Those whom `auth.conf` lets in, and users with a token. */
function rulesOr(right: CertificateRight): Access {
  return { kind: 'any-of', of: [rules, usersWith(right)] };
}

function text(method: Route['method'], path: string, allow: Access, handle: Route['handle']): Route {
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

function never(): boolean {
  return false;
}
