/** One small POST to a service of AWS, whose whole answer is read. */

import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as startHttps } from 'node:https';
import { Agent as HttpAgent, request as startHttp } from '../../lib/node-http.ts';
import { ServiceError } from '../../lib/service-error.ts';

export interface AwsPost {
  /** Redirects are not followed. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Variables that name proxies: `HTTPS_PROXY`, `NO_PROXY`. */
  readonly proxies: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;
const mostBytes = 64 * 1024;

/** @throws ServiceError `unavailable` when there is no answer, or a long one */
export async function postToAws(post: AwsPost): Promise<{ readonly status: number; readonly body: string }> {
  try {
    const incoming = await start(post);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw new Error('too long an answer');
      chunks.push(chunk);
    }
    return { status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
  } catch (cause) {
    if (post.signal.aborted) throw cause;
    const { origin } = new URL(post.url);
    const reason = cause instanceof Error ? cause.message : 'no answer';
    throw new ServiceError('unavailable', `${origin} does not answer: ${reason}`, {
      cause,
      details: { retryAfterSeconds: 5 },
    });
  }
}

function start({ body, headers, proxies, signal, url }: AwsPost): Promise<IncomingMessage> {
  const isTls = url.startsWith('https:');
  const agentOptions = { keepAlive: false, proxyEnv: proxies };
  const options = {
    method: 'POST',
    agent: isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  };
  return new Promise((resolve, reject) => {
    const outgoing = isTls ? startHttps(url, options, resolve) : startHttp(url, options, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
