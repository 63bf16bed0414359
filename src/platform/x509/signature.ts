/** Signature algorithms: which one a key uses, signing off the main thread, verifying strictly. */

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import {
  DerReader,
  decodeBitString,
  decodeOid,
  derBitString,
  derNull,
  derOid,
  derSequence,
  derTags,
} from '../../lib/der/index.ts';
import { X509Error } from './x509-error.ts';

interface SignatureAlgorithm {
  readonly oid: string;
  readonly keyType: string;
  /** Absent for algorithms that hash by themselves. */
  readonly digest?: string;
}

/** What is accepted; MD5 and SHA-1 are not among them. */
const algorithms: readonly SignatureAlgorithm[] = [
  { oid: '1.2.840.113549.1.1.11', keyType: 'rsa', digest: 'sha256' },
  { oid: '1.2.840.113549.1.1.12', keyType: 'rsa', digest: 'sha384' },
  { oid: '1.2.840.113549.1.1.13', keyType: 'rsa', digest: 'sha512' },
  { oid: '1.2.840.10045.4.3.2', keyType: 'ec', digest: 'sha256' },
  { oid: '1.2.840.10045.4.3.3', keyType: 'ec', digest: 'sha384' },
  { oid: '1.2.840.10045.4.3.4', keyType: 'ec', digest: 'sha512' },
  { oid: '1.3.101.112', keyType: 'ed25519' },
  { oid: '1.3.101.113', keyType: 'ed448' },
];

const signAsync: (
  digest: string | undefined,
  data: Buffer,
  key: { key: KeyObject; dsaEncoding: 'der' },
) => Promise<Buffer> = promisify(sign);

/** The AlgorithmIdentifier that signatures by `key` carry, as DER. */
export function signatureAlgorithmFor(key: KeyObject): Buffer {
  const { oid, keyType } = algorithmFor(key);
  return derSequence(derOid(oid), ...(keyType === 'rsa' ? [derNull()] : []));
}

/** The digest that signatures by `key` use: `sha256`; empty for keys that hash by themselves. */
export function digestFor(key: KeyObject): string {
  return algorithmFor(key).digest ?? '';
}

/** A signature over `data`, made in the thread pool. */
export function signWith(key: KeyObject, data: Buffer): Promise<Buffer> {
  return signAsync(algorithmFor(key).digest, data, { key, dsaEncoding: 'der' });
}

/** Whether `signature` over `data` was made with the private half of `publicKey`, in the way that it signs. */
export function isSignatureOf(signature: Buffer, data: Buffer, publicKey: KeyObject): boolean {
  return verify(algorithmFor(publicKey).digest, data, { key: publicKey, dsaEncoding: 'der' }, signature);
}

/** Wraps `tbs` into the SIGNED macro: what is signed, the algorithm, the signature. */
export async function signed(
  tbs: Buffer,
  signer: { readonly algorithm: Buffer; sign(data: Buffer): Promise<Buffer> },
): Promise<Buffer> {
  return derSequence(tbs, signer.algorithm, derBitString(await signer.sign(tbs)));
}

export interface SignedData {
  readonly tbs: Buffer;
  /** AlgorithmIdentifier as DER. */
  readonly signatureAlgorithm: Buffer;
  readonly signature: Buffer;
}

/**
 * Unwraps the SIGNED macro.
 *
 * @returns with the whole as DER, and what is inside of `tbs`
 * @throws X509Error when `der` is not exactly that
 */
export function decodeSigned(
  der: Uint8Array,
): SignedData & { readonly raw: Buffer; readonly content: Buffer } {
  const outer = new DerReader(der);
  const whole = outer.read(derTags.sequence);
  outer.end();
  const reader = new DerReader(whole.content);
  const tbs = reader.read(derTags.sequence);
  const signatureAlgorithm = reader.read(derTags.sequence).raw;
  const signature = decodeBitString(reader.next());
  reader.end();
  return { raw: whole.raw, tbs: tbs.raw, signatureAlgorithm, signature, content: tbs.content };
}

/**
 * Whether `data` was signed with the private half of the key in `publicKeyInfo`.
 *
 * False, never an error, for keys and algorithms that are malformed, unknown or don't belong together.
 */
export function isSignedBy(data: SignedData, publicKeyInfo: Uint8Array): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKeyInfo), format: 'der', type: 'spki' });
    const algorithm = findAlgorithm(data.signatureAlgorithm);
    if (algorithm === undefined || algorithm.keyType !== key.asymmetricKeyType) return false;
    return verify(algorithm.digest, data.tbs, { key, dsaEncoding: 'der' }, data.signature);
  } catch {
    // OpenSSL refuses the key or the signature: then it is not a valid signature.
    return false;
  }
}

function algorithmFor(key: KeyObject): SignatureAlgorithm {
  const type = key.asymmetricKeyType;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const digest = curve === 'secp521r1' ? 'sha512' : curve === 'secp384r1' ? 'sha384' : 'sha256';
  const found = algorithms.find(
    (algorithm) => algorithm.keyType === type && (algorithm.digest ?? digest) === digest,
  );
  if (!found) throw new X509Error(`Keys of type '${type}' cannot sign certificates`);
  return found;
}

function findAlgorithm(identifier: Buffer): SignatureAlgorithm | undefined {
  const reader = new DerReader(identifier).sequence();
  const oid = decodeOid(reader.next());
  if (!reader.isAtEnd) reader.read(derTags.null);
  reader.end();
  return algorithms.find((algorithm) => algorithm.oid === oid);
}
