/** The text of a token, and what is kept of it. */

import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, which cannot be guessed; the form of Puppet Enterprise's. */
export function createTokenText(): string {
  return `0${randomBytes(32).toString('base64url')}`;
}

/** Who reads the database can't use what it holds. */
export function tokenDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether something may be a token at all. */
export function isTokenText(text: string): boolean {
  return /^[\w-]{44}$/.test(text);
}
