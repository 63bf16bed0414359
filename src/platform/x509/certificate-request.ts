/** Certificate signing requests (PKCS #10, RFC 2986). */

import {
  constructedContextTag,
  DerReader,
  type DerValue,
  decodeOid,
  decodeText,
  decodeUnsigned,
  derElement,
  derInteger,
  derOid,
  derSequence,
  derSet,
  derTags,
  derUtf8String,
  readOnly,
} from '../../lib/der/index.ts';
import { commonNameOnly, type DistinguishedName, decodeName } from './distinguished-name.ts';
import {
  decodeExtensions,
  type Extension,
  encodeExtensions,
  puppetExtension,
  subjectAltName,
} from './extension.ts';
import { type GeneralName, parseAltNames } from './general-name.ts';
import { encodePublicKeyInfo, type KeyPair } from './keys.ts';
import { oids } from './oids.ts';
import { decodePemBlocks, encodePem } from './pem.ts';
import { puppetOid } from './puppet-oids.ts';
import { decodeSigned, type SignedData, signed } from './signature.ts';
import { keySigner } from './signer.ts';
import { X509Error } from './x509-error.ts';

interface RequestAttribute {
  readonly oid: string;
  /** Each value as DER. */
  readonly values: readonly Buffer[];
}

export interface CertificateRequest extends SignedData {
  readonly raw: Buffer;
  readonly subject: DistinguishedName;
  /** SubjectPublicKeyInfo as DER. */
  readonly publicKeyInfo: Buffer;
  /** Attributes other than the requested extensions. */
  readonly attributes: readonly RequestAttribute[];
  /** The extensions that the request asks for. */
  readonly extensions: readonly Extension[];
}

export interface RequestContent {
  readonly certname: string;
  /** `DNS:a.example.net, IP:10.0.0.1`, without a prefix a DNS name. */
  readonly altNames?: string;
  /** Puppet's extensions by short name or OID: `{ pp_role: 'compiler' }`. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** CSR attributes by short name or OID: `{ '1.2.840.113549.1.9.7': 'secret' }` is the challenge password. */
  readonly attributes?: Readonly<Record<string, string>>;
}

const extensionAttributes: readonly string[] = [oids.extensionRequest, oids.microsoftExtensionRequest];

/** @throws X509Error when `der` is not exactly one request */
function decodeCertificateRequest(der: Uint8Array): CertificateRequest {
  const { content, ...frame } = decodeSigned(der);
  const info = new DerReader(content);
  checkVersion(info.read(derTags.integer));
  const subject = decodeName(info.read(derTags.sequence).raw);
  const publicKeyInfo = info.read(derTags.sequence).raw;
  const attributeSet = info.readOptional(constructedContextTag(0));
  info.end();
  const all = attributeSet ? decodeAttributes(attributeSet.content) : [];
  return {
    ...frame,
    subject,
    publicKeyInfo,
    attributes: all.filter(({ oid }) => !extensionAttributes.includes(oid)),
    extensions: requestedExtensions(all),
  };
}

/** The one request in a PEM text. @throws X509Error when there is none, or more than one */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [der, ...others] = decodePemBlocks(pem, 'CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST');
  if (!der) throw new X509Error('No certificate request found');
  if (others.length > 0) throw new X509Error('More than one certificate request found');
  return decodeCertificateRequest(der);
}

export function encodeCertificateRequest(request: CertificateRequest): string {
  return encodePem('CERTIFICATE REQUEST', request.raw);
}

/** An attribute's first value as text, or `undefined`. @param nameOrOid - `pp_auth_auto_renew` or an OID */
export function requestAttribute(request: CertificateRequest, nameOrOid: string): string | undefined {
  const oid = puppetOid(nameOrOid);
  const value = request.attributes.find((attribute) => attribute.oid === oid)?.values[0];
  return value && decodeText(readOnly(value));
}

/** Makes and signs a request for a node's certificate, as an agent would. */
export async function createCertificateRequest(
  content: RequestContent,
  keys: KeyPair,
): Promise<CertificateRequest> {
  const info = derSequence(
    derInteger(0),
    commonNameOnly(content.certname).raw,
    encodePublicKeyInfo(keys.publicKey),
    derElement(constructedContextTag(0), ...encodeAttributes(content)),
  );
  return decodeCertificateRequest(await signed(info, keySigner(keys.privateKey)));
}

/** RFC 2986 has one version, whose number is 0; but `puppetserver ca generate` writes 2, that of certificates. */
function checkVersion(version: DerValue): void {
  const number = decodeUnsigned(version);
  if (number > 2n) throw new X509Error(`The request has the version ${number}, not 0`);
}

function encodeAttributes({ altNames, extensions = {}, attributes = {} }: RequestContent): Buffer[] {
  const names: GeneralName[] = altNames === undefined ? [] : parseAltNames(altNames);
  const wanted = Object.entries(extensions).map(([name, value]) => puppetExtension(name, value));
  if (names.length > 0) wanted.push(subjectAltName(names));
  const encoded = Object.entries(attributes).map(([name, value]) =>
    derSequence(derOid(puppetOid(name)), derSet(derUtf8String(value))),
  );
  if (wanted.length > 0) {
    encoded.push(derSequence(derOid(oids.extensionRequest), derSet(encodeExtensions(wanted))));
  }
  return encoded.sort(Buffer.compare);
}

function decodeAttributes(content: Buffer): RequestAttribute[] {
  const reader = new DerReader(content);
  const attributes: RequestAttribute[] = [];
  while (!reader.isAtEnd) {
    const pair = reader.sequence();
    const oid = decodeOid(pair.next());
    const set = new DerReader(pair.read(derTags.set).content);
    pair.end();
    const values: Buffer[] = [];
    while (!set.isAtEnd) values.push(set.next().raw);
    attributes.push({ oid, values });
  }
  return attributes;
}

function requestedExtensions(attributes: readonly RequestAttribute[]): Extension[] {
  const found = attributes.filter(({ oid }) => extensionAttributes.includes(oid));
  if (found.length > 1) throw new X509Error('The request asks for extensions more than once');
  const values = found[0]?.values ?? [];
  if (values.length > 1) throw new X509Error('The request asks for extensions more than once');
  // The real agent sends the attribute with an empty set when it wants none.
  return values[0] ? decodeExtensions(readOnly(values[0])) : [];
}
