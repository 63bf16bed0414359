/** Codes for users who have lost what makes their one-time codes. Each is good once. */

import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './one-time-code.ts';

const codes = 10;
const characters = 10;
const bytesOfCode = 7;

/** `ABCDE-FGHIJ`: 50 random bits each, more than can be guessed before a user is revoked. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: codes }, () => {
    const text = base32(randomBytes(bytesOfCode)).slice(0, characters);
    return `${text.slice(0, characters / 2)}-${text.slice(characters / 2)}`;
  });
}

/** What is kept of a code; people may write it in lower case and without the hyphen. */
export function recoveryDigest(code: string): string {
  const plain = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  return createHash('sha256').update(plain).digest('hex');
}
