/** The text of a grant: what a server that has proved its identity puts into its certificate request. */

import { createHash, randomBytes } from 'node:crypto';

export interface GrantText {
  readonly id: string;
  readonly secret: string;
}

const pattern = /^bunraku-grant\.([0-9a-f]{12})\.([\w-]{32})$/;

export function createGrantText(): GrantText {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(24).toString('base64url') };
}

export function encodeGrant({ id, secret }: GrantText): string {
  return `bunraku-grant.${id}.${secret}`;
}

/** @returns `undefined` for texts that are no grant */
export function decodeGrant(text: string): GrantText | undefined {
  const [, id, secret] = pattern.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** The digest of a secret, which is stored. A secret has 192 bits: it cannot be guessed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
