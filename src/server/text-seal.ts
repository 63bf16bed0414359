/** Encrypts secrets before they are stored: a copy of the database alone tells none of them. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../lib/atomic-file.ts';
import { ifThere } from '../lib/if-there.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export interface TextSeal {
  close(text: string): string;
  /** @throws Error for a text that another key has closed, or none */
  open(text: string): string;
}

/** @param file - holds the key; made when it is not there */
export async function openSeal(file: string): Promise<TextSeal> {
  const key = await readKey(file);
  return {
    close(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
    },
    open(text) {
      const closed = Buffer.from(text, 'base64');
      const decipher = createDecipheriv(algorithm, key, closed.subarray(0, nonceBytes));
      decipher.setAuthTag(closed.subarray(nonceBytes, nonceBytes + tagBytes));
      const content = decipher.update(closed.subarray(nonceBytes + tagBytes));
      return Buffer.concat([content, decipher.final()]).toString('utf8');
    },
  };
}

async function readKey(file: string): Promise<Buffer> {
  const known = await ifThere(readFile(file));
  if (known?.length === keyBytes) return known;
  const key = randomBytes(keyBytes);
  await writeFileAtomically(file, key, 0o600);
  return key;
}
