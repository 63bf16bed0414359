/** Checks signatures of version 4 as AWS does, on any request of an SDK. Shares no code with what signs in `src`. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface ArrivedRequest {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Caller {
  readonly accessKeyId: string;
  readonly service: string;
  readonly region: string;
}

/** What AWS says to a signature that does not count. */
export class SignatureError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const mostSkewMs = 15 * 60 * 1000;

/**
 * @param secretOf - the secret of an access key, and the session token that belongs to it
 * @throws SignatureError with AWS's code
 */
export function checkSignature(
  request: ArrivedRequest,
  secretOf: (accessKeyId: string) => { readonly secret: string; readonly sessionToken?: string } | undefined,
  now: Date,
): Caller {
  const header = request.headers.authorization ?? '';
  const parts = Object.fromEntries(
    header
      .replace(/^AWS4-HMAC-SHA256\s+/, '')
      .split(/,\s*/)
      .map((part) => part.split('=') as [string, string]),
  );
  const { Credential: credential = '', SignedHeaders: names = '', Signature: signature = '' } = parts;
  const [accessKeyId = '', day = '', region = '', service = ''] = credential.split('/');
  const date = textOf(request.headers['x-amz-date']);
  if (signature === '')
    throw new SignatureError('MissingAuthenticationToken', 'Missing Authentication Token');
  const known = secretOf(accessKeyId);
  if (known === undefined)
    throw new SignatureError(
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
    );
  if (textOf(request.headers['x-amz-security-token']) !== (known.sessionToken ?? ''))
    throw new SignatureError('InvalidClientTokenId', 'The security token included in the request is invalid');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const hash = createHash('sha256');
  const url = new URL(request.url, 'http://any');
  hash.update(`${request.method}\n${url.pathname}\n${canonicalQuery(url.searchParams)}\n`);
  for (const name of names.split(';'))
    hash.update(`${name}:${textOf(request.headers[name]).trim().replaceAll(/\s+/g, ' ')}\n`);
  hash.update(`\n${names}\n${createHash('sha256').update(request.body).digest('hex')}`);
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash.digest('hex')}`;
  let key: Buffer | string = `AWS4${known.secret}`;
  for (const part of [day, region, service, 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  const expected = createHmac('sha256', key).update(toSign).digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new SignatureError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    );
  const time = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(time - now.getTime()) <= mostSkewMs))
    throw new SignatureError('SignatureDoesNotMatch', `Signature expired: ${date}`);
  return { accessKeyId, service, region };
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '');
}
