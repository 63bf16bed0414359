/** One POST to a server of other people, over HTTP or HTTPS. */

import type { IncomingMessage } from 'node:http';
import { request as startHttps } from 'node:https';
import { request as startHttp } from '../../lib/node-http.ts';

export interface WebPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For HTTPS alone. */
  readonly credentials: {
    /** PEM, one or more certificates each. */
    readonly ca: readonly string[];
    readonly certificate?: string | undefined;
    readonly privateKey?: string | undefined;
  };
  /** Until the last byte of the answer. */
  readonly timeoutMs: number;
}

/**
 * Sends it on a connection of its own, and leaves the answer's body unread. A user and a password in the URL become
 * basic authentication.
 *
 * @throws Error when nothing answers, TLS fails, or it takes too long
 */
export async function webPost(post: WebPost): Promise<{ readonly status: number; readonly reason: string }> {
  const url = new URL(post.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`'${url.protocol}' is neither http: nor https:`);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    method: 'POST',
    agent: false,
    headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
    signal: AbortSignal.timeout(post.timeoutMs),
  } as const;
  const { ca, certificate: cert, privateKey: key } = post.credentials;
  const tls = { ca: [...ca], ...(cert === undefined || key === undefined ? {} : { cert, key }) };
  const outgoing =
    url.protocol === 'https:'
      ? startHttps(url, { ...options, ...tls, minVersion: 'TLSv1.2' }, resolve)
      : startHttp(url, options, resolve);
  outgoing.on('error', reject);
  outgoing.end(post.body);
  const incoming = await promise;
  // What it says beyond its status is of no use to us.
  incoming.on('error', () => undefined);
  incoming.destroy();
  return { status: incoming.statusCode ?? 0, reason: incoming.statusMessage ?? '' };
}
