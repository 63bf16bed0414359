/** `/puppet-ca/v1/*` on a compile server. */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';
import { whileThere } from '../../lib/while-there.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { currentCaPath, legacyCaIndirections } from '../../platform/indirection/index.ts';
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

/** What the primary believes of servers of the installation: never taken from a client. */
const ownHeaders: readonly string[] = ['x-client-cert', 'x-forwarded-for', 'x-bunraku-proxied'];

/** Connection by connection, never passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Requests and certificates are small. */
const maxBodyBytes = 1024 * 1024;

export function caProxyRoutes(options: CaProxyOptions): readonly Route[] {
  const handle = (request: HttpRequest) => forward(options, request);
  const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;
  const allow = { kind: 'rules' } as const;
  const legacy = legacyCaIndirections.map((name) => `/:environment/${name}/:certname`);
  return methods.flatMap((method) => [
    route({ method, path: '/puppet-ca/v1/*', allow, maxBodyBytes, handle }),
    ...legacy.map((path) =>
      route({ method, path, allow, maxBodyBytes, handle, authorizedAs: currentCaPath }),
    ),
  ]);
}

async function forward(options: CaProxyOptions, request: HttpRequest): Promise<HttpResponse> {
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const hasBody = request.method === 'PUT' || request.method === 'POST';
  const { isPrimaryAway: isAway, primaryUrl: name } = options;
  try {
    const answer = await whileThere({ isAway, name, signal: request.signal }, (signal) =>
      options.client.stream({
        method: request.method,
        url: `${options.primaryUrl}${request.path}${query}`,
        headers: { ...passedOn(request.headers), ...clientHeaders(request) },
        signal,
        ...(hasBody ? { body: request.stream() } : {}),
      }),
    );
    return { status: answer.status, headers: passedOn(answer.headers), body: answer.body };
  } catch (error) {
    if (!(error instanceof ServiceError) || !['unavailable', 'timeout'].includes(error.reason)) throw error;
    const copy = request.method === 'GET' ? await ownCopy(options, request.path) : undefined;
    if (copy === undefined)
      throw new ServiceError('unavailable', `The certificate authority is away: ${error.message}`, {
        cause: error,
      });
    options.log.warn({ path: request.path, err: error }, 'primary is away, answered from own copy');
    return copy;
  }
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

async function ownCopy(options: CaProxyOptions, path: string): Promise<HttpResponse | undefined> {
  const files: Readonly<Record<string, string>> = {
    '/puppet-ca/v1/certificate/ca': options.caFile,
    '/puppet-ca/v1/certificate_revocation_list/ca': options.crlFile,
  };
  const file = files[path.startsWith('/puppet-ca/') ? path : currentCaPath(path)];
  if (file === undefined) return undefined;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: await readFile(file) };
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !ownHeaders.includes(name)),
  );
}
