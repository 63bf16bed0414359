/** The authority in a directory of this machine, without a server: its routes, called directly. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ServiceError } from '../../lib/service-error.ts';
import type { HttpRequest, HttpResponse, Route } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type CaSettings, CertificateAuthority, caRoutes } from '../../services/ca/index.ts';
import type { CaClient, CaReply } from './client.ts';

const prefix = '/puppet-ca/v1/';
const statuses: Readonly<Record<string, number>> = { 'bad-request': 400, 'not-found': 404, conflict: 409 };

/** @throws ServiceError `not-found` when there is no authority, `unavailable` while a server uses it */
export async function openOfflineCa(settings: CaSettings, isReadOnly: boolean): Promise<CaClient> {
  const ca = await openDirectory(settings, isReadOnly);
  const routes = caRoutes(ca);
  return {
    request: (method, path, body) => dispatch(routes, method, path, body ?? ''),
    close: () => ca.close(),
  };
}

/** The authority itself, for what no API has. @throws as `openOfflineCa` */
export async function openDirectory(settings: CaSettings, isReadOnly = false): Promise<CertificateAuthority> {
  const { caDir } = settings;
  await stat(join(caDir, 'ca_crt.pem')).catch(() => {
    throw new ServiceError('not-found', `There is no certificate authority in ${caDir}`);
  });
  const environment = { log: silentLogger, now: () => new Date() };
  return isReadOnly
    ? CertificateAuthority.openReadOnly(settings, environment)
    : CertificateAuthority.open(settings, environment);
}

async function dispatch(
  routes: readonly Route[],
  method: string,
  path: string,
  body: string,
): Promise<CaReply> {
  const url = new URL(prefix + path, 'https://localhost');
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, url.pathname) : undefined;
    if (params) return answer(route, offlineRequest(method, url, params, body));
  }
  return { status: 404, body: 'Not Found' };
}

async function answer(route: Route, request: HttpRequest): Promise<CaReply> {
  try {
    return textOf(await route.handle(request));
  } catch (error) {
    const status = error instanceof ServiceError ? statuses[error.reason] : undefined;
    if (!(error instanceof ServiceError) || status === undefined) throw error;
    return { status, body: error.message };
  }
}

function textOf({ status, body = '' }: HttpResponse): CaReply {
  if (body instanceof Readable) throw new TypeError('The CA answers with text only');
  return { status, body: body.toString() };
}

function offlineRequest(
  method: string,
  url: URL,
  params: Readonly<Record<string, string>>,
  body: string,
): HttpRequest {
  return {
    method,
    path: url.pathname,
    params,
    query: url.searchParams,
    headers: {},
    identity: { kind: 'anonymous', address: 'localhost' },
    signal: new AbortController().signal,
    body: async () => Buffer.from(body),
    stream: () => Readable.from([body]),
  };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const found = path.split('/');
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = found[index] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeURIComponent(value);
    else if (segment !== value) return undefined;
  }
  return params;
}
