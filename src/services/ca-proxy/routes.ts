/** `/puppet-ca/v1/*` on a compile server: the CA's own routes, each request made anew for the primary. */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';
import { whileThere } from '../../lib/while-there.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { legacyCaPaths } from '../../platform/indirection/index.ts';
import type { Logger } from '../../platform/log/index.ts';

export interface CaProxyOptions {
  readonly client: HttpClient;
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  /** This server's own copies, kept current by others: served while the primary is away. */
  readonly caFile: string;
  readonly crlFile: string;
  /** Asked when the primary takes long: signing may, but then it is there for others. */
  readonly isPrimaryAway: () => Promise<boolean>;
  readonly log: Logger;
}

const prefix = '/puppet-ca/v1';

/** Requests and certificates are small. */
const maxBodyBytes = 1024 * 1024;
/** Several lists with tens of thousands of entries: as much as the CA takes. */
const maxListBytes = 32 * 1024 * 1024;

/** What the CA has, by method; `:certname` is the one parameter. */
const forwarded: readonly (readonly [Route['method'], path: string])[] = [
  ['GET', 'certificate/:certname'],
  ['GET', 'certificate_request/:certname'],
  ['PUT', 'certificate_request/:certname'],
  ['DELETE', 'certificate_request/:certname'],
  ['GET', 'certificate_revocation_list/:certname'],
  ['PUT', 'certificate_revocation_list'],
  ['GET', 'certificate_status/:certname'],
  ['PUT', 'certificate_status/:certname'],
  ['DELETE', 'certificate_status/:certname'],
  ['GET', 'certificate_statuses/'],
  ['GET', 'certificate_statuses/:certname'],
  ['POST', 'certificate_renewal'],
  ['GET', 'expirations'],
  ['PUT', 'clean'],
  ['POST', 'sign'],
  ['POST', 'sign/all'],
];

/** Parameters that the CA reads, or that its authorisation rules may ask for. */
const forwardedParameters: readonly string[] = ['environment', 'state'];
/** Headers that the CA reads. Everything else, lengths above all, is between the client and this server. */
const requestHeaders: readonly string[] = [
  'accept',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'user-agent',
];
const answerHeaders: readonly string[] = ['content-type', 'etag', 'retry-after'];

export function caProxyRoutes(options: CaProxyOptions): readonly Route[] {
  const routes = forwarded.map(([method, name]) =>
    route({
      method,
      path: `${prefix}/${name}`,
      allow: { kind: 'rules' },
      maxBodyBytes: name === 'certificate_revocation_list' ? maxListBytes : maxBodyBytes,
      handle: (request) => forward(options, name, request),
    }),
  );
  return [...routes, ...legacyCaPaths(routes)];
}

async function forward(options: CaProxyOptions, name: string, request: HttpRequest): Promise<HttpResponse> {
  const certname = encodeURIComponent(request.params['certname'] ?? '');
  const path = `${prefix}/${name.replace(':certname', () => certname)}`;
  const { isPrimaryAway: isAway, primaryUrl } = options;
  // Read before anything is sent: what arrives at the primary has the length that we counted.
  const hasBody = request.method === 'PUT' || request.method === 'POST';
  const body = hasBody ? await request.body() : undefined;
  try {
    const answer = await whileThere({ isAway, name: primaryUrl, signal: request.signal }, (signal) =>
      options.client.send({
        method: request.method === 'HEAD' ? 'GET' : request.method,
        url: `${primaryUrl}${path}${rebuiltQuery(request.query)}`,
        headers: { ...picked(request.headers, requestHeaders), ...clientHeaders(request) },
        signal,
        hasOwnConnection: request.identity.kind === 'anonymous',
        ...(body === undefined ? {} : { body }),
      }),
    );
    return { status: answer.status, headers: picked(answer.headers, answerHeaders), body: answer.body };
  } catch (error) {
    if (!(error instanceof ServiceError) || !['unavailable', 'timeout'].includes(error.reason)) throw error;
    const copy = request.method === 'GET' ? await ownCopy(options, path) : undefined;
    if (copy === undefined)
      throw new ServiceError('unavailable', `The certificate authority is away: ${error.message}`, {
        cause: error,
      });
    options.log.warn({ path: request.path, err: error }, 'primary is away, answered from own copy');
    return copy;
  }
}

function rebuiltQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of forwardedParameters) {
    const value = query.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept.size === 0 ? '' : `?${kept}`;
}

/**
 * Who asks, for what the primary decides by it: renewal needs the agent's certificate, whose key it has proved to
 * have here; signing rules may look at its address.
 */
function clientHeaders({ identity }: HttpRequest): Readonly<Record<string, string>> {
  const pem = identity.kind === 'certificate' ? new X509Certificate(identity.raw).toString() : undefined;
  return {
    'x-bunraku-proxied': '1',
    'x-forwarded-for': identity.address,
    ...(pem === undefined ? {} : { 'x-client-cert': encodeURIComponent(pem) }),
  };
}

/** @param path - as the primary is asked */
async function ownCopy(options: CaProxyOptions, path: string): Promise<HttpResponse | undefined> {
  const files: Readonly<Record<string, string>> = {
    [`${prefix}/certificate/ca`]: options.caFile,
    [`${prefix}/certificate_revocation_list/ca`]: options.crlFile,
  };
  const file = files[path];
  if (file === undefined) return undefined;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: await readFile(file) };
}

function picked(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
