/** The text of a token: what a compile server is given to join with. */

import { createHash, randomBytes } from 'node:crypto';

export interface JoinToken {
  readonly id: string;
  readonly secret: string;
  /** SHA-256 of the CA's first certificate, lower-case hexadecimal: whom the joining server may believe. */
  readonly caFingerprint: string | undefined;
}

const prefix = 'bunraku';
const pattern = /^bunraku\.([0-9a-f]{12})\.([\w-]{32})(?:\.([\w-]{43}))?$/;

export function createJoinToken(caFingerprint: string): JoinToken {
  return {
    id: randomBytes(6).toString('hex'),
    secret: randomBytes(24).toString('base64url'),
    caFingerprint,
  };
}

/** What the operator hands on. */
export function encodeJoinToken(token: JoinToken): string {
  const fingerprint = Buffer.from(token.caFingerprint ?? '', 'hex').toString('base64url');
  return fingerprint === '' ? joinSecret(token) : `${joinSecret(token)}.${fingerprint}`;
}

/** The part that proves something, as it stands in a request's `challengePassword`. */
export function joinSecret({ id, secret }: JoinToken): string {
  return `${prefix}.${id}.${secret}`;
}

/** @returns `undefined` for texts that are no token, or half of one */
export function decodeJoinToken(text: string): JoinToken | undefined {
  const [, id, secret, fingerprint] = pattern.exec(text.trim()) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const caFingerprint =
    fingerprint === undefined ? undefined : Buffer.from(fingerprint, 'base64url').toString('hex');
  return { id, secret, caFingerprint };
}

/** The digest of a secret, which is stored. A secret has 192 bits: it cannot be guessed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
