/**
 * Content that is signed and enclosed (PKCS #7, CMS): `SignedData` with one signer whose certificate is known in advance.
 *
 * @see RFC 5652, 5
 */

import { createHash, type KeyObject, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import {
  constructedContextTag,
  DerReader,
  decodeOid,
  derElement,
  derTags,
  toDefiniteForm,
} from '../../lib/der/index.ts';
import { decodePemBlocks } from './pem.ts';
import { X509Error } from './x509-error.ts';

const signedDataOid = '1.2.840.113549.1.7.2';
const dataOid = '1.2.840.113549.1.7.1';
const contentTypeOid = '1.2.840.113549.1.9.3';
const messageDigestOid = '1.2.840.113549.1.9.4';
/** SHA-1 is not among them. */
const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** The key's own algorithm, which many name instead of that of the signature, or the one with the same digest. */
const rsaAlgorithms: Readonly<Record<string, readonly string[]>> = {
  sha256: ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.11'],
  sha384: ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.12'],
  sha512: ['1.2.840.113549.1.1.1', '1.2.840.113549.1.1.13'],
};

interface Signed {
  readonly content: Buffer;
  readonly digest: string;
  /** DER of the SET; absent when the content itself is signed. */
  readonly attributes: Buffer | undefined;
  readonly signature: Buffer;
}

/** The certificates of a PEM text that may sign content: those with an RSA key of 2,048 bits or more. @throws X509Error */
export function decodeContentSigners(pem: string): readonly X509Certificate[] {
  return decodePemBlocks(pem, 'CERTIFICATE').map((der) => {
    const certificate = new X509Certificate(der);
    const { asymmetricKeyDetails, asymmetricKeyType } = certificate.publicKey;
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 2048)
      throw new X509Error(
        `The certificate of ${certificate.subject.replaceAll('\n', ', ')} has no RSA key of 2,048 bits or more`,
      );
    return certificate;
  });
}

/**
 * The content of a signed message. Certificates inside of it are not looked at: only those in `signers` count.
 *
 * @param message - DER or BER
 * @returns with the certificate whose key signed it
 * @throws X509Error when it is no such message, DerError when it is no BER, or X509Error when none of `signers` signed it
 */
export function readSignedContent(
  message: Buffer,
  signers: readonly X509Certificate[],
): { readonly content: Buffer; readonly signer: X509Certificate } {
  const signed = decodeSignedData(toDefiniteForm(message));
  const bytes =
    signed.attributes === undefined ? signed.content : checkedAttributes(signed, signed.attributes);
  const signer = signers.find(({ publicKey }) => isSignature(signed, bytes, publicKey));
  if (signer === undefined)
    throw new X509Error('Signed content: the signature is of none of the known certificates');
  return { content: signed.content, signer };
}

function isSignature({ digest, signature }: Signed, bytes: Buffer, key: KeyObject): boolean {
  return verify(digest, bytes, key, signature);
}

function decodeSignedData(der: Buffer): Signed {
  const outer = new DerReader(der);
  const contentInfo = outer.sequence();
  outer.end();
  if (decodeOid(contentInfo.next()) !== signedDataOid) throw new X509Error('Signed content: not signed data');
  const wrapped = new DerReader(contentInfo.read(constructedContextTag(0)).content);
  const reader = wrapped.sequence();
  reader.read(derTags.integer);
  reader.read(derTags.set);
  const content = decodeEnclosed(reader.sequence());
  reader.readOptional(constructedContextTag(0));
  reader.readOptional(constructedContextTag(1));
  const infos = new DerReader(reader.read(derTags.set).content);
  reader.end();
  const info = infos.sequence();
  if (!infos.isAtEnd) throw new X509Error('Signed content: more than one signer');
  return { content, ...decodeSignerInfo(info) };
}

function decodeEnclosed(reader: DerReader): Buffer {
  if (decodeOid(reader.next()) !== dataOid) throw new X509Error('Signed content: the content is no data');
  if (reader.isAtEnd) throw new X509Error('Signed content: the content is not enclosed');
  const wrapped = new DerReader(reader.read(constructedContextTag(0)).content);
  const { content } = wrapped.read(derTags.octetString);
  wrapped.end();
  reader.end();
  return content;
}

function decodeSignerInfo(reader: DerReader): Omit<Signed, 'content'> {
  reader.read(derTags.integer);
  // Who says to have signed: the certificates that are known decide.
  reader.next();
  const digestOid = decodeOid(reader.sequence().next());
  const digest = Object.hasOwn(digests, digestOid) ? digests[digestOid] : undefined;
  if (digest === undefined) throw new X509Error(`Signed content: the digest ${digestOid} is not accepted`);
  const attributes = reader.readOptional(constructedContextTag(0));
  const algorithm = decodeOid(reader.sequence().next());
  if (rsaAlgorithms[digest]?.includes(algorithm) !== true)
    throw new X509Error(`Signed content: the signature algorithm ${algorithm} is not accepted`);
  const signature = reader.read(derTags.octetString).content;
  reader.readOptional(constructedContextTag(1));
  reader.end();
  return {
    digest,
    // What is signed has the tag of a SET.
    attributes: attributes && derElement(derTags.set, attributes.content),
    signature,
  };
}

/** Makes sure that the signed attributes are of this content. @returns what was signed */
function checkedAttributes({ content, digest }: Signed, attributes: Buffer): Buffer {
  const values = new Map<string, Buffer>();
  const reader = new DerReader(new DerReader(attributes).read(derTags.set).content);
  while (!reader.isAtEnd) {
    const attribute = reader.sequence();
    const oid = decodeOid(attribute.next());
    if (values.has(oid)) throw new X509Error(`Signed content: the attribute ${oid} is there twice`);
    values.set(oid, attribute.read(derTags.set).content);
  }
  const type = values.get(contentTypeOid);
  if (type === undefined || decodeOid(new DerReader(type).next()) !== dataOid)
    throw new X509Error('Signed content: the signed attributes name another type of content');
  const stated = values.get(messageDigestOid);
  const expected = createHash(digest).update(content).digest();
  const given = stated && new DerReader(stated).read(derTags.octetString).content;
  if (given?.length !== expected.length || !timingSafeEqual(given, expected))
    throw new X509Error('Signed content: the content is not the one that was signed');
  return attributes;
}
