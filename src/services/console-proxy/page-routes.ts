/** The console on a host without state: pages, files, APIs and events as the primary has them, each request made anew. */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';
import { type HttpRequest, type HttpResponse, type Route, route } from '../../platform/http/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { picked } from './picked-headers.ts';

export interface ConsolePagesOptions {
  readonly client: HttpClient;
  /** Where the primary may have its console; the first that answers is it. */
  readonly urls: readonly string[];
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const maxBodyBytes = 8 * 1024 * 1024;
/** A server may take two minutes to drain. */
const timeoutMs = 180_000;
const eventsPath = '/console-api/v1/events';
const eventsTimeoutMs = 24 * 60 * 60 * 1000;
/** Below the number of connections that the client has for them: others would wait instead of being refused. */
const mostStreams = 60;

const requestHeaders = [
  'accept',
  'accept-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-authentication',
  'x-bunraku-console',
];
/** In the letters of the headers that every answer has anyway: one in other letters would be sent beside it. */
const answerHeaders = [
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Security-Policy',
  'Content-Type',
  'ETag',
  'Location',
  'Retry-After',
  'Set-Cookie',
  'Vary',
  'WWW-Authenticate',
  'X-Accel-Buffering',
];

export function consolePageRoutes(options: ConsolePagesOptions): readonly Route[] {
  const pages = new ForwardedPages(options);
  return methods.flatMap((method) =>
    ['/', '/*'].map((path) =>
      route({
        method,
        path,
        // The primary decides, by the cookie or the token.
        allow: { kind: 'anyone' },
        maxBodyBytes,
        takesInPath: ['dot', 'empty'],
        // `/auth/reset` has a token in its query.
        isPathSecret: true,
        handle: (request) => pages.forward(request),
      }),
    ),
  );
}

class ForwardedPages {
  private readonly options: ConsolePagesOptions;
  private found: string | undefined;
  private streams = 0;

  constructor(options: ConsolePagesOptions) {
    this.options = options;
  }

  async forward(request: HttpRequest): Promise<HttpResponse> {
    const isEvents = request.method === 'GET' && request.path === eventsPath;
    if (isEvents && this.streams >= mostStreams)
      throw new ServiceError('unavailable', 'Too many pages are open', {
        details: { retryAfterSeconds: 60 },
      });
    try {
      return await this.send(request, isEvents);
    } catch (cause) {
      if (!(cause instanceof ServiceError) || !['unavailable', 'timeout'].includes(cause.reason)) throw cause;
      if (wantsPage(request)) return awayPage;
      throw new ServiceError('unavailable', `The primary is away: ${cause.message}`, { cause });
    }
  }

  private async send(request: HttpRequest, isEvents: boolean): Promise<HttpResponse> {
    const { client } = this.options;
    const { headers, method, path, query, signal } = request;
    const body = method === 'GET' ? undefined : await request.body();
    const answer = await client.stream({
      method,
      url: `${await this.url(signal)}${path}${query.size === 0 ? '' : `?${query}`}`,
      headers: picked(headers, requestHeaders),
      signal,
      timeoutMs: isEvents ? eventsTimeoutMs : timeoutMs,
      hasOwnConnection: isEvents,
      ...(body === undefined ? {} : { body }),
    });
    if (isEvents) {
      this.streams += 1;
      answer.body.once('close', () => {
        this.streams -= 1;
      });
    }
    return { status: answer.status, headers: picked(answer.headers, answerHeaders), body: answer.body };
  }

  /** @throws ServiceError `unavailable` when none answers */
  private async url(signal: AbortSignal): Promise<string> {
    if (this.found !== undefined) return this.found;
    const failures: unknown[] = [];
    for (const url of this.options.urls) {
      try {
        const { status } = await this.options.client.send({ method: 'GET', url: `${url}/login`, signal });
        if (status === 200) return (this.found = url);
        failures.push(new ServiceError('unavailable', `${url} answers ${status}`));
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0] ?? new ServiceError('unavailable', 'No port of the primary is known');
  }
}

/** Whether a browser shows what is answered. */
function wantsPage({ headers, method, path }: HttpRequest): boolean {
  return method === 'GET' && !apiPath.test(path) && acceptsHtml(headers);
}

const apiPath = /^\/(?:[\w-]+-api|pdb|orchestrator|code-manager|puppet-ca|infrastructure|status)\//;

function acceptsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html');
}

const awayPage: HttpResponse = {
  status: 503,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Retry-After': '10',
    Refresh: '10',
  },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The primary is away · Bunraku</title>
<h1>The primary is away</h1>
<p>The console shows what the primary knows, and the primary does not answer. This page looks again every 10 seconds.</p>
<p>Agents go on: compile servers give them catalogs and files, and keep their facts and reports until the primary is back. New
certificates, deploys and jobs wait.</p>
</html>
`,
};
