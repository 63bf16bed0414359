/** Everything below the APIs of users, groups and activity, each request made anew for the primary. */

import { ServiceError } from '../../lib/service-error.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { picked } from './picked-headers.ts';

export interface ConsoleProxyOptions {
  readonly client: HttpClient;
  /** `https://primary.example.com:4433` */
  readonly url: string;
}

const apis = ['rbac-api', 'classifier-api', 'activity-api'];
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const maxBodyBytes = 8 * 1024 * 1024;
const timeoutMs = 60_000;
/** What the APIs read. Lengths and connections are between the client and this host. */
const requestHeaders = [
  'accept',
  'content-type',
  'user-agent',
  'x-authentication',
  'authorization',
  'cookie',
];
const answerHeaders = ['content-type', 'location', 'retry-after', 'set-cookie', 'www-authenticate'];

export function consoleProxyRoutes(options: ConsoleProxyOptions): readonly Route[] {
  return methods.flatMap((method) =>
    apis.map((api) =>
      route({
        method,
        path: `/${api}/*`,
        // The primary decides, by the token.
        allow: { kind: 'anyone' },
        maxBodyBytes,
        isPathSecret: true,
        handle: (request) => forward(options, request),
      }),
    ),
  );
}

async function forward({ client, url }: ConsoleProxyOptions, request: HttpRequest): Promise<HttpResponse> {
  const hasBody = ['POST', 'PUT', 'DELETE'].includes(request.method);
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const body = hasBody ? await request.body() : undefined;
  try {
    const answer = await client.send({
      method: request.method,
      url: `${url}${request.path}${query}`,
      headers: picked(request.headers, requestHeaders),
      signal: request.signal,
      timeoutMs,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, headers: picked(answer.headers, answerHeaders), body: answer.body };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.reason !== 'unavailable') throw cause;
    throw new ServiceError('unavailable', `The primary is away: ${cause.message}`, { cause });
  }
}
