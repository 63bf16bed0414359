/** PKCS#7 enveloped data, as hiera-eyaml makes it: a key for RSA, content in AES or triple DES. */

import { constants, createDecipheriv, privateDecrypt, randomBytes } from 'node:crypto';
import { DerError, DerReader, type DerValue } from '../der/index.ts';

/** Content ciphers by object identifier, in hexadecimal. */
const CIPHERS: ReadonlyMap<string, { readonly name: string; readonly keyBytes: number }> = new Map([
  ['608648016503040102', { name: 'aes-128-cbc', keyBytes: 16 }],
  ['608648016503040116', { name: 'aes-192-cbc', keyBytes: 24 }],
  ['60864801650304012a', { name: 'aes-256-cbc', keyBytes: 32 }],
  ['2a864886f70d0307', { name: 'des-ede3-cbc', keyBytes: 24 }],
]);
const ENVELOPED_DATA = '2a864886f70d010703';

/**
 * Decrypts a message with the key of its only recipient.
 *
 * @param der - the ContentInfo
 * @param privateKeyPem - RSA
 * @throws Error `PKCS7 error: ...` when it is no such message, or the key does not fit; the two ways in which a
 *   key may not fit give the same error
 */
export function decryptEnvelope(der: Uint8Array, privateKeyPem: string): Uint8Array {
  const kind = hex(elementAt(der, 0, 0).content);
  if (kind !== ENVELOPED_DATA) throw new Error('PKCS7 error: no enveloped data');
  const enveloped = elementAt(der, 0, 1, 0).content;
  const recipient = elementAt(enveloped, 1, 0).content;
  const encryptedKey = elementAt(recipient, 3).content;
  const [, algorithm, content] = elementsOf(elementAt(enveloped, 2).content);
  if (algorithm === undefined || content === undefined) throw new Error('PKCS7 error: no content');
  const cipher = CIPHERS.get(hex(elementAt(algorithm.content, 0).content));
  if (cipher === undefined) throw new Error('PKCS7 error: unsupported cipher');
  const vector = elementAt(algorithm.content, 1).content;
  try {
    const { key, isGenuine } = contentKey(encryptedKey, privateKeyPem, cipher.keyBytes);
    const decipher = createDecipheriv(cipher.name, key, vector);
    const text = Buffer.concat([decipher.update(contentBytes(content)), decipher.final()]);
    if (!isGenuine) throw new Error('wrong key');
    return text;
  } catch (error) {
    throw new Error('PKCS7 error: decrypt error', { cause: error });
  }
}

function elementsOf(bytes: Uint8Array): readonly DerValue[] {
  const reader = new DerReader(bytes, { allowsLongLengths: true });
  const elements: DerValue[] = [];
  while (!reader.isAtEnd) elements.push(reader.next());
  return elements;
}

/** Follows positions through constructed elements. @throws DerError when there is no such element */
function elementAt(bytes: Uint8Array, ...[index = 0, ...path]: readonly number[]): DerValue {
  const found = elementsOf(bytes)[index];
  if (found === undefined) throw new DerError('unexpected DER structure');
  return path.length === 0 ? found : elementAt(found.content, ...path);
}

/** The content may be in one piece, or in several. */
function contentBytes({ tag, content }: { readonly tag: number; readonly content: Uint8Array }): Uint8Array {
  const isConstructed = (tag & 0x20) !== 0;
  return isConstructed ? Buffer.concat(elementsOf(content).map((part) => part.content)) : content;
}

/**
 * Undoes RSA and its padding (PKCS#1 v1.5) by hand: Node refuses the padding because of how it can be abused.
 * A wrong padding gives a random key and goes on, so that it cannot be told from a wrong content.
 */
function contentKey(
  encrypted: Uint8Array,
  privateKeyPem: string,
  keyBytes: number,
): { readonly key: Uint8Array; readonly isGenuine: boolean } {
  const padding = constants.RSA_NO_PADDING;
  const block = privateDecrypt({ key: privateKeyPem, padding }, encrypted);
  const start = block.length - keyBytes;
  let wrong = (block[0] ?? 1) | ((block[1] ?? 0) ^ 2) | (block[start - 1] ?? 1);
  for (let index = 2; index < start - 1; index++) wrong |= block[index] === 0 ? 1 : 0;
  const isGenuine = wrong === 0;
  return { key: isGenuine ? block.subarray(start) : randomBytes(keyBytes), isGenuine };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
