/** The requests that `openid-client` makes: with authorities of our own, within limits. */

import type { IncomingMessage } from 'node:http';
import { request as startHttps } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { request as startHttp } from '../../lib/node-http.ts';
import { OidcError } from './oidc-error.ts';

/** Metadata, keys and tokens are far smaller. */
const mostBytes = 1024 * 1024;

export interface Trust {
  /** The authorities that certificates of providers are checked with. */
  context(): Promise<SecureContext>;
}

/** Redirects are not followed: `openid-client` refuses them. A connection for each request, as logins are rare. */
export function providerFetch(trust: Trust): CustomFetch {
  return async (address, options) => {
    const url = new URL(address);
    try {
      const incoming = await send(url, options, trust);
      const { body, status } = { body: await readAll(incoming), status: incoming.statusCode ?? 0 };
      if (status >= 500) throw new OidcError('unreachable', `${url.origin} answers with status ${status}`);
      const hasBody = ![204, 205, 304].includes(status);
      return new Response(hasBody ? new Uint8Array(body) : null, { status, headers: headersOf(incoming) });
    } catch (error) {
      if (error instanceof OidcError) throw error;
      const text = error instanceof Error ? error.message : String(error);
      throw new OidcError('unreachable', `Cannot ask ${url.origin}: ${text}`, error);
    }
  };
}

async function send(url: URL, options: CustomFetchOptions, trust: Trust): Promise<IncomingMessage> {
  const { headers, method, signal } = options;
  const body = options.body === null || options.body === undefined ? undefined : textOf(options.body);
  const shared = {
    method,
    agent: false,
    headers: {
      ...headers,
      'user-agent': 'bunraku',
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    ...(signal === undefined ? {} : { signal }),
  } as const;
  const { promise, reject, resolve } = Promise.withResolvers<IncomingMessage>();
  const outgoing =
    url.protocol === 'https:'
      ? startHttps(url, { ...shared, ...(await secured(trust)) }, resolve)
      : startHttp(url, shared, resolve);
  outgoing.on('error', reject);
  outgoing.end(body);
  return await promise;
}

async function secured(trust: Trust): Promise<{ readonly secureContext: SecureContext }> {
  return { secureContext: await trust.context() };
}

/** `openid-client` sends forms alone. */
function textOf(body: NonNullable<CustomFetchOptions['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('Only forms are sent to providers');
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of [value ?? []].flat()) result.append(name, each);
  return result;
}
