/** Whether a webhook comes from who knows the secret. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookHeaders, WebhookProof } from './push.ts';

/**
 * Takes the same time whatever is wrong.
 *
 * @returns `undefined` when the request brings no proof at all
 */
export function isProved(
  proof: WebhookProof,
  headers: WebhookHeaders,
  body: Buffer,
  secret: string,
): boolean | undefined {
  switch (proof.kind) {
    case 'signature': {
      const given = headerOf(headers, proof.header);
      if (given === undefined) return undefined;
      const expected = proof.prefix + createHmac('sha256', secret).update(body).digest('hex');
      return isSame(given.toLowerCase(), expected);
    }
    case 'secret': {
      const given = headerOf(headers, proof.header);
      return given === undefined ? undefined : isSame(given, secret);
    }
    case 'basic': {
      const given = /^basic (.+)$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1];
      if (given === undefined) return undefined;
      const text = Buffer.from(given, 'base64').toString('utf8');
      return isSame(text.slice(text.indexOf(':') + 1), secret);
    }
    default:
      return proof satisfies never;
  }
}

/** Digests have one length, whatever was given. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
