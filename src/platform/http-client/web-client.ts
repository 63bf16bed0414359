/** Downloads from servers of other people, over HTTP or HTTPS: with proxies, redirects and limits. */

import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as startHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { Agent as HttpAgent, request as startHttp } from '../../lib/node-http.ts';
import { ServiceError } from '../../lib/service-error.ts';

export interface WebRequest {
  readonly url: string;
  /** Sent to this origin only, not to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables that name proxies: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */
  readonly proxies: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

const mostRedirects = 5;
/** Nothing sent or received for this long: the other side is dead. */
const idleTimeoutMs = 30_000;

/** @throws ServiceError `unavailable` when there is no answer, `bad-gateway` for redirects without end or to nowhere */
export async function webGet(request: WebRequest): Promise<WebResponse> {
  const { origin } = parseUrl(request.url);
  let url = request.url;
  for (let count = 0; count <= mostRedirects; count += 1) {
    const response = await get(url, request, parseUrl(url).origin === origin);
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined) return response;
    // Its length is not needed.
    response.body.destroy();
    if (!URL.canParse(location, url))
      throw new ServiceError('bad-gateway', `${request.url} redirects to ${location}, which is no URL`);
    url = new URL(location, url).href;
  }
  throw new ServiceError('bad-gateway', `${request.url} redirects too often`);
}

/**
 * As `webGet`, reading the whole answer.
 *
 * @throws ServiceError `too-large` when it has more than `mostBytes`
 */
export async function webGetText(
  request: WebRequest,
  mostBytes: number,
): Promise<{ status: number; text: string }> {
  const { status, body } = await webGet(request);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new ServiceError('too-large', `${request.url} answers with too much`);
    chunks.push(chunk);
  }
  return { status, text: Buffer.concat(chunks).toString('utf8') };
}

function get(url: string, request: WebRequest, isSameOrigin: boolean): Promise<WebResponse> {
  const { protocol } = parseUrl(url);
  const isTls = protocol === 'https:';
  const options = {
    agent: agentFor(isTls, request.proxies),
    signal: request.signal,
    timeout: idleTimeoutMs,
    headers: { 'user-agent': 'bunraku', ...(isSameOrigin ? request.headers : {}) },
  };
  return new Promise((resolve, reject) => {
    const onResponse = (incoming: IncomingMessage) =>
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming });
    const outgoing = isTls ? startHttps(url, options, onResponse) : startHttp(url, options, onResponse);
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`nothing was heard for ${idleTimeoutMs / 1000} s`)),
    );
    outgoing.on('error', (error) => {
      if (request.signal.aborted) return reject(error);
      reject(
        new ServiceError('unavailable', `Failed to connect to ${new URL(url).origin}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    outgoing.end();
  });
}

/** A connection for each request: archives are few and large. */
function agentFor(isTls: boolean, proxies: WebRequest['proxies']): Agent {
  const options = { keepAlive: false, proxyEnv: proxies };
  return isTls ? new HttpsAgent(options) : new HttpAgent(options);
}

function parseUrl(url: string): URL {
  try {
    const parsed = new URL(url);
    if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
  } catch (error) {
    throw new ServiceError('bad-request', `${url} is no URL`, { cause: error });
  }
  throw new ServiceError('bad-request', `${url} is neither HTTP nor HTTPS`);
}
