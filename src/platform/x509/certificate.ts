/** X.509 certificates, version 3 (RFC 5280, 4.1). */

import {
  constructedContextTag,
  contextTag,
  DerReader,
  decodeSerial,
  derElement,
  derInteger,
  derSequence,
  derTags,
  derUnsigned,
  readOnly,
} from '../../lib/der/index.ts';
import { decodeTime, derTime } from './der-time.ts';
import { type DistinguishedName, decodeName } from './distinguished-name.ts';
import { decodeExtensions, type Extension, encodeExtensions } from './extension.ts';
import { decodePemBlocks, encodePem } from './pem.ts';
import { decodeSigned, type SignedData, signed } from './signature.ts';
import type { Signer } from './signer.ts';
import { X509Error } from './x509-error.ts';

export interface Certificate extends SignedData {
  /** The whole certificate as DER. */
  readonly raw: Buffer;
  /** Upper-case hexadecimal without leading zeros. */
  readonly serial: string;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo as DER. */
  readonly publicKeyInfo: Buffer;
  readonly extensions: readonly Extension[];
}

/** What a new certificate says, before it is signed. */
export interface CertificateContent {
  /** Hexadecimal. */
  readonly serial: string;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKeyInfo: Uint8Array;
  readonly extensions: readonly Extension[];
}

/** @throws X509Error when `der` is not exactly one certificate */
export function decodeCertificate(der: Uint8Array): Certificate {
  const { content, ...frame } = decodeSigned(der);
  return { ...frame, ...decodeContent(content) };
}

/** All certificates of a PEM text, in order. @throws X509Error */
export function decodeCertificates(pem: string): Certificate[] {
  return decodePemBlocks(pem, 'CERTIFICATE', 'X509 CERTIFICATE').map(decodeCertificate);
}

/**
 * Signs a certificate with the issuer's key.
 *
 * @param check - gets what the bytes to be signed say, before the key is used; throws to prevent that
 */
export async function signCertificate(
  content: CertificateContent,
  signer: Signer,
  check: (decoded: CertificateContent) => void,
): Promise<Certificate> {
  const serial = content.serial.length % 2 === 0 ? content.serial : `0${content.serial}`;
  const tbs = derSequence(
    derElement(constructedContextTag(0), derInteger(2)),
    derUnsigned(Buffer.from(serial, 'hex')),
    signer.algorithm,
    content.issuer.raw,
    derSequence(derTime(content.notBefore), derTime(content.notAfter)),
    content.subject.raw,
    content.publicKeyInfo,
    derElement(constructedContextTag(3), encodeExtensions(content.extensions)),
  );
  check(decodeContent(readOnly(tbs).content));
  return decodeCertificate(await signed(tbs, signer));
}

export function encodeCertificate(certificate: Certificate): string {
  return encodePem('CERTIFICATE', certificate.raw);
}

/** What a TBSCertificate says. @throws X509Error when `tbs` is not exactly one */
export function decodeCertificateContent(tbs: Uint8Array): CertificateContent {
  return decodeContent(readOnly(tbs).content);
}

function decodeContent(tbs: Buffer): CertificateContent & { publicKeyInfo: Buffer } {
  const reader = new DerReader(tbs);
  reader.readOptional(constructedContextTag(0));
  const serial = decodeSerial(reader.next());
  reader.read(derTags.sequence);
  const issuer = decodeName(reader.read(derTags.sequence).raw);
  const validity = reader.sequence();
  const notBefore = decodeTime(validity.next());
  const notAfter = decodeTime(validity.next());
  validity.end();
  const subject = decodeName(reader.read(derTags.sequence).raw);
  const publicKeyInfo = reader.read(derTags.sequence).raw;
  reader.readOptional(contextTag(1));
  reader.readOptional(contextTag(2));
  const wrapped = reader.readOptional(constructedContextTag(3));
  reader.end();
  const extensions = wrapped ? decodeWrapped(wrapped.content) : [];
  return { serial, issuer, subject, notBefore, notAfter, publicKeyInfo, extensions };
}

function decodeWrapped(content: Buffer): Extension[] {
  const reader = new DerReader(content);
  const extensions = decodeExtensions(reader.next());
  if (!reader.isAtEnd) throw new X509Error('The extensions are followed by something else');
  return extensions;
}
