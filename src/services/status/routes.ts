/** `/status/v1`: open to everybody, since load balancers have no certificate. */

import { ServiceError } from '../../lib/service-error.ts';
import { type HttpRequest, type HttpResponse, json, type Route, route } from '../../platform/http/index.ts';
import type { PlainAnswer } from './health-protocol.ts';
import { type DetailLevel, parseLevel } from './service-status.ts';
import { simpleAnswer, simpleServiceAnswer } from './simple-answer.ts';
import { type StatusRegistry, statesOfServer } from './status-registry.ts';
import { encodeStatus } from './wire.ts';

const timeoutSeconds: Readonly<Record<DetailLevel, number>> = { critical: 30, info: 60, debug: 60 };

const anyone = { kind: 'anyone' } as const;

export function statusRoutes(registry: StatusRegistry): readonly Route[] {
  return [
    get('/status/v1/simple', ({ query }) => simple(registry, query)),
    get('/status/v1/simple/:service', ({ params, query }) =>
      simpleService(registry, params['service'] ?? '', query),
    ),
    get('/status/v1/services', ({ query }) => services(registry, query)),
    get('/status/v1/services/:service', ({ params, query }) =>
      service(registry, params['service'] ?? '', query),
    ),
  ];
}

/** The same for a port of another kind. What callers must tell apart is answered too. */
export async function statusAnswer(
  registry: StatusRegistry,
  path: string,
  query: URLSearchParams,
): Promise<PlainAnswer> {
  const [, , , kind, name, ...rest] = path.split('/');
  try {
    if (!path.startsWith('/status/v1/') || rest.length > 0) return notFound;
    if (kind === 'simple') {
      return answered(
        await (name === undefined ? simple(registry, query) : simpleService(registry, name, query)),
      );
    }
    if (kind !== 'services') return notFound;
    return answered(await (name === undefined ? services(registry, query) : service(registry, name, query)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const body = JSON.stringify({ kind: error.kind ?? error.reason, msg: error.message });
    return { status: 400, contentType: 'application/json;charset=utf-8', body };
  }
}

const notFound: PlainAnswer = { status: 404, contentType: 'text/plain;charset=utf-8', body: 'Not Found' };

function answered({ body, headers, status }: HttpResponse): PlainAnswer {
  return { status, contentType: String(headers?.['content-type']), body: String(body) };
}

function get(path: string, handle: (request: HttpRequest) => Promise<HttpResponse>): Route {
  return route({ method: 'GET', path, allow: anyone, isHealthCheck: true, handle });
}

async function simple(registry: StatusRegistry, query: URLSearchParams): Promise<HttpResponse> {
  const answers = await registry.readAll('critical', readTimeout(query, 'critical'));
  return sent(simpleAnswer(statesOfServer(answers.values()), query.get('while_stopping')));
}

async function simpleService(
  registry: StatusRegistry,
  name: string,
  query: URLSearchParams,
): Promise<HttpResponse> {
  const provider = registry.find(name);
  if (provider === undefined) return sent(simpleServiceAnswer(name, undefined));
  const { state } = await registry.read(name, provider, 'critical', readTimeout(query, 'critical'));
  return sent(simpleServiceAnswer(name, state));
}

async function services(registry: StatusRegistry, query: URLSearchParams): Promise<HttpResponse> {
  const level = parseLevel(query.get('level'));
  const answers = await registry.readAll(level, readTimeout(query, level));
  const isRunning = statesOfServer(answers.values()).every((state) => state === 'running');
  const body = Object.fromEntries(Array.from(answers, ([name, status]) => [name, encodeStatus(status)]));
  return json(body, isRunning ? 200 : 503);
}

async function service(
  registry: StatusRegistry,
  name: string,
  query: URLSearchParams,
): Promise<HttpResponse> {
  const provider = registry.find(name);
  if (provider === undefined) {
    return json({ kind: 'service-not-found', msg: `No status information found for service ${name}` }, 404);
  }
  const level = parseLevel(query.get('level'));
  checkStatusVersion(query.get('service_status_version'), name, provider.statusVersion ?? 1);
  const status = await registry.read(name, provider, level, readTimeout(query, level));
  return json({ ...encodeStatus(status), service_name: name }, status.state === 'running' ? 200 : 503);
}

function checkStatusVersion(text: string | null, name: string, current: number): void {
  if (text === null) return;
  if (!/^\d+$/.test(text)) {
    throw invalid('data-invalid', `Invalid service_status_version. Should be an integer but was ${text}`);
  }
  if (Number(text) === current) return;
  throw invalid(
    'service-status-version-not-found',
    `No status function with version ${text} found for service ${name}`,
  );
}

function readTimeout(query: URLSearchParams, level: DetailLevel): number {
  const text = query.get('timeout');
  if (text === null) return timeoutSeconds[level];
  if (!/^-?\d+$/.test(text))
    throw invalid('data-invalid', `Invalid timeout. Should be an integer but was ${text}`);
  if (Number(text) > 0) return Math.min(Number(text), 3600);
  throw invalid('data-invalid', `Invalid timeout. Timeout must be greater than zero but was ${Number(text)}`);
}

function invalid(kind: string, message: string): ServiceError {
  return new ServiceError('bad-request', message, { kind });
}

function sent({ body, contentType, status }: PlainAnswer): HttpResponse {
  return { status, headers: { 'content-type': contentType }, body };
}
