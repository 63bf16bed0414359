/** Extensions of certificates, requests and CRLs: the list, and the kinds that Puppet uses. */

import {
  contextTag,
  DerReader,
  type DerValue,
  decodeBoolean,
  decodeOid,
  decodeText,
  decodeUnsigned,
  derBitString,
  derBoolean,
  derElement,
  derIa5String,
  derInteger,
  derOctetString,
  derOid,
  derSequence,
  derTags,
  derUtf8String,
  readOnly,
} from '../../lib/der/index.ts';
import { decodeGeneralNames, encodeGeneralNames, type GeneralName } from './general-name.ts';
import { oids } from './oids.ts';
import { puppetOid } from './puppet-oids.ts';
import { X509Error } from './x509-error.ts';

export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  /** What is inside the OCTET STRING: usually DER. */
  readonly value: Buffer;
}

/** The SEQUENCE of extensions. */
export function encodeExtensions(extensions: readonly Extension[]): Buffer {
  return derSequence(
    ...extensions.map(({ oid, critical, value }) =>
      derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value)),
    ),
  );
}

/**
 * @param sequence - the SEQUENCE of extensions
 * @throws X509Error when malformed, or when one extension occurs twice
 */
export function decodeExtensions(sequence: DerValue): Extension[] {
  if (sequence.tag !== derTags.sequence) throw new X509Error('The extensions are not a sequence');
  const reader = new DerReader(sequence.content);
  const extensions: Extension[] = [];
  const seen = new Set<string>();
  while (!reader.isAtEnd) {
    const extension = decodeExtension(reader.sequence());
    if (seen.has(extension.oid)) throw new X509Error(`The extension ${extension.oid} occurs twice`);
    seen.add(extension.oid);
    extensions.push(extension);
  }
  return extensions;
}

function findExtension(extensions: readonly Extension[], oid: string): Extension | undefined {
  return extensions.find((extension) => extension.oid === oid);
}

export function subjectAltName(names: readonly GeneralName[]): Extension {
  return { oid: oids.subjectAltName, critical: false, value: encodeGeneralNames(names) };
}

/** The subject alternative names, empty when there is no such extension. @throws X509Error */
export function readSubjectAltNames(extensions: readonly Extension[]): GeneralName[] {
  const extension = findExtension(extensions, oids.subjectAltName);
  return extension ? decodeGeneralNames(extension.value) : [];
}

export function basicConstraints(isCa: boolean): Extension {
  const value = isCa ? derSequence(derBoolean(true)) : derSequence();
  return { oid: oids.basicConstraints, critical: true, value };
}

/** True when the basic constraints say CA:TRUE. */
export function isCaExtensions(extensions: readonly Extension[]): boolean {
  const extension = findExtension(extensions, oids.basicConstraints);
  if (!extension) return false;
  const flag = new DerReader(extension.value).sequence().readOptional(derTags.boolean);
  return flag !== undefined && decodeBoolean(flag);
}

/** `server`: digitalSignature and keyEncipherment; `ca`: keyCertSign and cRLSign. */
export function keyUsage(use: 'server' | 'ca'): Extension {
  const value =
    use === 'server' ? derBitString(Buffer.from([0xa0]), 5) : derBitString(Buffer.from([0x06]), 1);
  return { oid: oids.keyUsage, critical: true, value };
}

export function serverAndClientAuth(): Extension {
  const value = derSequence(derOid(oids.serverAuth), derOid(oids.clientAuth));
  return { oid: oids.extendedKeyUsage, critical: true, value };
}

export function serverAuth(): Extension {
  return { oid: oids.extendedKeyUsage, critical: true, value: derSequence(derOid(oids.serverAuth)) };
}

export function netscapeComment(text: string): Extension {
  return { oid: oids.netscapeComment, critical: false, value: derIa5String(text) };
}

export function subjectKeyIdentifier(keyId: Uint8Array): Extension {
  return { oid: oids.subjectKeyIdentifier, critical: false, value: derOctetString(keyId) };
}

/** The key identifier alone: an issuer and serial number would break when the CA's certificate is extended. */
export function authorityKeyIdentifier(keyId: Uint8Array): Extension {
  const value = derSequence(derElement(contextTag(0), keyId));
  return { oid: oids.authorityKeyIdentifier, critical: false, value };
}

/** The key identifier of the subject's own key, or `undefined`. @throws X509Error */
export function readSubjectKeyId(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.subjectKeyIdentifier);
  return extension && readOnly(extension.value).content;
}

/** The key identifier of the issuer's key, or `undefined`. @throws X509Error */
export function readAuthorityKeyId(extensions: readonly Extension[]): Buffer | undefined {
  const extension = findExtension(extensions, oids.authorityKeyIdentifier);
  return extension && new DerReader(extension.value).sequence().readOptional(contextTag(0))?.content;
}

export function crlNumber(number: bigint): Extension {
  return { oid: oids.crlNumber, critical: false, value: derInteger(number) };
}

/** @throws X509Error */
export function readCrlNumber(extensions: readonly Extension[]): bigint | undefined {
  const extension = findExtension(extensions, oids.crlNumber);
  return extension && decodeUnsigned(readOnly(extension.value));
}

/** One of Puppet's extensions, a UTF8String. @param nameOrOid - `pp_role`, or any OID */
export function puppetExtension(nameOrOid: string, value: string): Extension {
  return { oid: puppetOid(nameOrOid), critical: false, value: derUtf8String(value) };
}

/**
 * An extension's value as text: the string inside, or the octets themselves, which is what Puppet 3 wrote.
 */
export function decodeExtensionText(value: Buffer): string {
  try {
    return decodeText(readOnly(value)) ?? value.toString('utf8');
  } catch (error) {
    if (error instanceof X509Error) return value.toString('utf8');
    throw error;
  }
}

function decodeExtension(reader: DerReader): Extension {
  const oid = decodeOid(reader.next());
  const flag = reader.readOptional(derTags.boolean);
  const value = reader.read(derTags.octetString).content;
  reader.end();
  return { oid, critical: flag !== undefined && decodeBoolean(flag), value };
}
