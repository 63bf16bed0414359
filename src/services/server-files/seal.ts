/** Encrypts contents for the owner of one certificate: AES-256-GCM with a key that only its private key gives. */

import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { ServiceError } from '../../lib/service-error.ts';

/** All in bytes. */
export interface Sealed {
  /** `rsa`: `key` is the content's key, encrypted (OAEP); `ec`: it is the sender's public key for this content alone (SPKI). */
  readonly kind: 'rsa' | 'ec';
  readonly key: Buffer;
  readonly nonce: Buffer;
  readonly tag: Buffer;
  readonly content: Buffer;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;
const purpose = 'bunraku server files';

/** @throws ServiceError `conflict` for a key that is neither RSA nor elliptic */
export function seal(publicKey: KeyObject, content: Buffer): Sealed {
  const { key, kind, secret } = wrapped(publicKey);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associated(publicKey, kind, key));
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  return { kind, key, nonce, tag: cipher.getAuthTag(), content: encrypted };
}

/** @throws Error when it was sealed for another key, or changed on the way */
export function open(privateKey: KeyObject, { content, key, kind, nonce, tag }: Sealed): Buffer {
  const secret = kind === 'rsa' ? privateDecrypt({ key: privateKey, ...oaep }, key) : agreed(privateKey, key);
  const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associated(createPublicKey(privateKey), kind, key));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(content), decipher.final()]);
}

function wrapped(publicKey: KeyObject): Pick<Sealed, 'key' | 'kind'> & { readonly secret: Buffer } {
  if (publicKey.asymmetricKeyType === 'rsa') {
    const secret = randomBytes(keyBytes);
    return { kind: 'rsa', secret, key: publicEncrypt({ key: publicKey, ...oaep }, secret) };
  }
  const namedCurve = publicKey.asymmetricKeyDetails?.namedCurve;
  if (publicKey.asymmetricKeyType !== 'ec' || namedCurve === undefined)
    throw new ServiceError('conflict', 'The key of the certificate is neither RSA nor elliptic');
  const own = generateKeyPairSync('ec', { namedCurve });
  const key = own.publicKey.export({ type: 'spki', format: 'der' });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey });
  return { kind: 'ec', key, secret: derived(shared, key) };
}

function agreed(privateKey: KeyObject, key: Buffer): Buffer {
  const publicKey = createPublicKey({ key, type: 'spki', format: 'der' });
  return derived(diffieHellman({ privateKey, publicKey }), key);
}

function derived(shared: Buffer, key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, key, purpose, keyBytes));
}

/** Binds the content to the key that it is sealed for, and to the way. */
function associated(publicKey: KeyObject, kind: Sealed['kind'], key: Buffer): Buffer {
  const hash = createHash('sha256').update(`${purpose} ${kind} `).update(key);
  return hash.update(publicKey.export({ type: 'spki', format: 'der' })).digest();
}
