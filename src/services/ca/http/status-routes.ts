/** `certificate_status` and `certificate_statuses`: what `puppetserver ca` and operators' scripts use. */

import { ServiceError } from '../../../lib/service-error.ts';
import {
  type Access,
  countParameter,
  type HttpRequest,
  type HttpResponse,
  type Route,
  route,
} from '../../../platform/http/index.ts';
import {
  type CertificateStatusAnswer,
  CertificateStatusesWire,
  CertificateStatusWire,
} from '../answers/wire.ts';
import type { CertificateAuthority } from '../authority.ts';
import { type CertificateState, encodeStatus } from '../certificate-status.ts';
import { type WantedStatuses, wordsIn } from '../directory/wanted-statuses.ts';
import { type RecordChange, recordCertificates } from './certificate-changes.ts';
import { requireRight, signOptions, usersWith } from './certificate-rights.ts';
import { DesiredStatusWire, decodeDesiredStatus } from './wire.ts';

const prefix = '/puppet-ca/v1';
const maxBodyBytes = 64 * 1024;
const mediaTypes: readonly string[] = ['application/json', 'text/pson', 'pson'];
const states: readonly CertificateState[] = ['requested', 'signed', 'revoked'];

/** As `certificate-authority.certificate-status` of an older `ca.conf` has it. */
export interface StatusAccess {
  /** False lets everybody in. */
  readonly isAuthorizationRequired: boolean;
  readonly certnames: readonly string[];
}

export interface StatusRouteOptions {
  readonly access?: StatusAccess | undefined;
  /** Recognises others whom the routes let in. */
  readonly isNamed?: ((certname: string) => boolean) | undefined;
  /** Keeps who signed or revoked what. */
  readonly record?: RecordChange | undefined;
}

export function statusRoutes(
  ca: CertificateAuthority,
  { access, isNamed = () => false, record }: StatusRouteOptions,
): Route[] {
  // The first says why somebody is refused.
  const allow: Access = {
    kind: 'any-of',
    of: [accessOf(access), { kind: 'certname', allows: isNamed }, usersWith('decide', 'revoke')],
  };
  const path = `${prefix}/certificate_status/:certname`;
  const define = (
    method: Route['method'],
    at: string,
    handle: Route['handle'],
    shapes: Route['shapes'] = {},
  ) => route({ method, path: at, allow, maxBodyBytes, shapes, handle });
  return [
    define('GET', path, (request) => getStatus(ca, request), { answer: CertificateStatusWire }),
    define('PUT', path, (request) => putStatus(ca, request, record), { body: DesiredStatusWire }),
    define('DELETE', path, (request) => deleteStatus(ca, request, record)),
    define('GET', `${prefix}/certificate_statuses/`, async () => utf8(400, 'Missing URL Segment')),
    define('GET', `${prefix}/certificate_statuses/:any`, (request) => getStatuses(ca, request), {
      answer: CertificateStatusesWire,
    }),
  ];
}

function accessOf(access: StatusAccess | undefined): Access {
  if (access === undefined) return { kind: 'rules' };
  if (!access.isAuthorizationRequired) return { kind: 'anyone' };
  const certnames = access.certnames.map((name) => name.toLowerCase());
  return { kind: 'certname', allows: (certname) => certnames.includes(certname) };
}

async function getStatus(ca: CertificateAuthority, request: HttpRequest): Promise<HttpResponse> {
  const contentType = negotiate(request);
  const status = await ca.findStatus(certnameOf(request));
  if (!status) throw new ServiceError('not-found', 'Resource not found.');
  return { status: 200, headers: { 'content-type': contentType }, body: encodeStatus(status) };
}

async function putStatus(
  ca: CertificateAuthority,
  request: HttpRequest,
  record: RecordChange | undefined,
): Promise<HttpResponse> {
  const certname = certnameOf(request);
  const desired = decodeDesiredStatus(await request.body(), certname);
  const options = desired.state === 'signed' ? signOptions(request, desired) : undefined;
  if (options === undefined) requireRight(request, 'revoke');
  const contentType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (contentType !== undefined && !mediaTypes.includes(contentType))
    return utf8(415, 'Unsupported media type.');
  const isIssued = await ca.isIssued(certname);
  if (!isIssued && (await ca.findRequest(certname)) === undefined) {
    throw new ServiceError('not-found', 'Invalid certificate subject.');
  }
  if (options !== undefined) {
    await ca.sign(certname, options);
  } else {
    if (!isIssued) {
      const message = `Cannot revoke certificate for host ${certname} without a signed certificate`;
      throw new ServiceError('conflict', message);
    }
    await ca.revoke([certname]);
  }
  await recordCertificates(record, request, desired.state === 'signed' ? 'sign' : 'revoke', [certname]);
  return { status: 204, headers: { 'content-type': 'text/plain' } };
}

async function deleteStatus(
  ca: CertificateAuthority,
  request: HttpRequest,
  record: RecordChange | undefined,
): Promise<HttpResponse> {
  const certname = certnameOf(request);
  // What the inventory knows is not enough: there must be something to delete.
  const certificate = await ca.findCertificate(certname);
  requireRight(request, certificate === undefined ? 'decide' : 'revoke');
  if (certificate === undefined && (await ca.findRequest(certname)) === undefined)
    throw new ServiceError('not-found', 'Resource not found.');
  await ca.deleteFiles(certname);
  await recordCertificates(record, request, 'delete', [certname]);
  return { status: 204 };
}

async function getStatuses(ca: CertificateAuthority, request: HttpRequest): Promise<HttpResponse> {
  const contentType = negotiate(request);
  const found = await ca.encodedStatuses(wantedIn(request.query));
  const isWithOrigin = request.query.get('with') === 'origin';
  const statuses = isWithOrigin ? await inTurn(found, (status) => withOrigin(ca, status)) : found;
  const body = `[${statuses.join(',')}]`;
  return { status: 200, headers: { 'content-type': contentType }, body };
}

/** `with=origin` is ours: a request also says where it came from, when, and why it waits. */
async function withOrigin(ca: CertificateAuthority, status: string): Promise<string> {
  // Serial numbers of certificates may have more digits than a number.
  if (!/^\{"name":"[^"]*","state":"requested"/.test(status)) return status;
  const request = JSON.parse(status) as CertificateStatusAnswer;
  const origin = await ca.findOrigin(request.name);
  if (origin === undefined)
    return JSON.stringify({ ...request, origin: null } satisfies CertificateStatusAnswer);
  const { address = null, reason, receivedAt } = origin;
  const shown = { address, received_at: receivedAt.toISOString(), reason };
  return JSON.stringify({ ...request, origin: shown } satisfies CertificateStatusAnswer);
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

/** `q`, `limit` and `after` are ours. @throws ServiceError `bad-request` */
function wantedIn(query: URLSearchParams): WantedStatuses {
  const refuse = (text: string) => new ServiceError('bad-request', `limit is a number, not '${text}'`);
  return {
    state: states.find((known) => known === query.get('state')),
    words: wordsIn(query.get('q') ?? ''),
    limit: countParameter(query, 'limit', refuse),
    after: query.get('after') ?? undefined,
  };
}

function utf8(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8' }, body };
}

function certnameOf(request: HttpRequest): string {
  return request.params['certname'] ?? '';
}

/**
 * The reference answers in the words of the Accept header, be it only `*` and a slash.
 *
 * @throws ServiceError `not-acceptable`
 */
function negotiate(request: HttpRequest): string {
  const accept = request.headers.accept ?? 'application/json';
  const wanted = accept.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  const found = wanted.find(
    (type) => mediaTypes.includes(type) || type === '*/*' || type === 'application/*',
  );
  if (found === undefined) throw new ServiceError('not-acceptable', 'No acceptable resource available.');
  return `${found};charset=UTF-8`;
}
