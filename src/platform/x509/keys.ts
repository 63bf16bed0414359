/** Key pairs: made, read, written, and identified. */

import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { DerReader, decodeBitString } from '../../lib/der/index.ts';
import { X509Error } from './x509-error.ts';

/** `rsa` with its length in bits, or a named curve. */
export type KeySpec =
  | { readonly kind: 'rsa'; readonly bits: number }
  | { readonly kind: 'ec'; readonly curve: 'P-256' | 'P-384' | 'P-521' };

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** Makes a key pair in the thread pool: RSA-4096 takes a second or more. */
export function createKeyPair(spec: KeySpec): Promise<KeyPair> {
  return spec.kind === 'rsa'
    ? generate('rsa', { modulusLength: spec.bits })
    : generate('ec', { namedCurve: spec.curve });
}

/** The private key as PEM, in the form that Puppet writes and all its versions read. */
export function encodePrivateKey(key: KeyObject): string {
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8';
  return key.export({ type, format: 'pem' }).toString();
}

export function encodePublicKey(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/**
 * @param file - where it comes from, for the message
 * @throws X509Error without a word of the content
 */
export function decodePrivateKey(pem: string, file?: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The cause is dropped on purpose: OpenSSL's errors may describe what the file holds.
    throw new X509Error(`Could not read the private key${file === undefined ? '' : ` in ${file}`}`);
  }
}

/** SubjectPublicKeyInfo as DER. */
export function encodePublicKeyInfo(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The key identifier of RFC 5280, 4.2.1.2 (1): SHA-1 over the key's bits. @throws X509Error */
export function keyIdentifier(publicKeyInfo: Uint8Array): Buffer {
  const reader = new DerReader(publicKeyInfo).sequence();
  reader.sequence();
  return createHash('sha1').update(decodeBitString(reader.next())).digest();
}
