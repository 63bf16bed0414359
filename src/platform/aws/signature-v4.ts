/** Signatures of requests to AWS, version 4. @see "Create a signed AWS API request" in the IAM User Guide */

import { createHash, createHmac } from 'node:crypto';
import type { AwsCredentials } from './instance-metadata.ts';

export interface SignedRequest {
  readonly method: string;
  /** `/` */
  readonly path: string;
  /** All of them are signed: by lower-case name, `host` and `x-amz-date` among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SigningScope {
  readonly region: string;
  /** `sts` */
  readonly service: string;
}

/** `20261126T120000Z` */
export function amzDate(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}

/** The header `Authorization` of a request without a query. */
export function authorizationOf(
  request: SignedRequest,
  { region, service }: SigningScope,
  { accessKeyId, secretAccessKey }: AwsCredentials,
): string {
  const names = Object.keys(request.headers).sort();
  const signedHeaders = names.join(';');
  const date = request.headers['x-amz-date'] ?? '';
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const canonical = [
    request.method,
    request.path,
    '',
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    sha256(request.body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = [region, service, 'aws4_request'].reduce(
    (derived, part) => hmac(derived, part),
    hmac(`AWS4${secretAccessKey}`, date.slice(0, 8)),
  );
  const signature = hmac(key, text).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
