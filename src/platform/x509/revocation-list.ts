/**
 * Certificate revocation lists, version 2 (RFC 5280, 5).
 *
 * The entries are kept as the octets they came in: adding one to a list of 20,000 costs a copy, not a rebuild.
 */

import {
  constructedContextTag,
  DerReader,
  derBitString,
  derElement,
  derInteger,
  derSequence,
  derTags,
  derUnsigned,
  readOnly,
} from '../../lib/der/index.ts';
import { decodeTime, derTime } from './der-time.ts';
import { type DistinguishedName, decodeName } from './distinguished-name.ts';
import {
  authorityKeyIdentifier,
  crlNumber,
  decodeExtensions,
  type Extension,
  encodeExtensions,
  readAuthorityKeyId,
  readCrlNumber,
} from './extension.ts';
import { oids } from './oids.ts';
import { decodePemBlocks, encodePem } from './pem.ts';
import { decodeRevokedSerials, decodeRevokedSerialsInSlices } from './revoked-entries.ts';
import { decodeSigned, type SignedData } from './signature.ts';
import type { Signer } from './signer.ts';

export interface RevocationList extends SignedData {
  readonly raw: Buffer;
  readonly issuer: DistinguishedName;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly number: bigint | undefined;
  readonly authorityKeyId: Buffer | undefined;
  readonly extensions: readonly Extension[];
  /** The entries one after the other, as DER. */
  readonly entries: Buffer;
  /** Upper-case hexadecimal without leading zeros. */
  readonly revokedSerials: ReadonlySet<string>;
}

/** Why a certificate was revoked (RFC 5280, 5.3.1). */
export const revocationReasons = { unspecified: 0, keyCompromise: 1, superseded: 4, cessation: 5 } as const;

interface RevokedEntry {
  /** Hexadecimal. */
  readonly serial: string;
  readonly revokedAt: Date;
  /** One of `revocationReasons`. */
  readonly reason: number;
}

export interface RevocationListContent {
  readonly issuer: DistinguishedName;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly number: bigint;
  readonly authorityKeyId: Uint8Array;
  /** What an older list had; nothing when absent. */
  readonly base?: Pick<RevocationList, 'entries' | 'revokedSerials'>;
  readonly added?: readonly RevokedEntry[];
}

/** Everything but the serial numbers. @throws X509Error when `der` is not exactly one CRL */
function decodeFrame(der: Uint8Array): Omit<RevocationList, 'revokedSerials'> {
  const { content, ...frame } = decodeSigned(der);
  return { ...frame, ...decodeContent(content) };
}

type ListContent = Omit<RevocationList, keyof SignedData | 'raw' | 'revokedSerials'>;

/** What a TBSCertList says, but for the serial numbers. @throws X509Error when `tbs` is not exactly one */
export function decodeRevocationListContent(tbs: Uint8Array): ListContent {
  return decodeContent(readOnly(tbs).content);
}

function decodeContent(content: Buffer): ListContent {
  const info = new DerReader(content);
  info.readOptional(derTags.integer);
  info.read(derTags.sequence);
  const issuer = decodeName(info.read(derTags.sequence).raw);
  const thisUpdate = decodeTime(info.next());
  const nextUpdate = isTimeTag(info.peekTag()) ? decodeTime(info.next()) : undefined;
  const entries = info.readOptional(derTags.sequence)?.content ?? Buffer.alloc(0);
  const wrapped = info.readOptional(constructedContextTag(0));
  info.end();
  const extensions = wrapped ? decodeExtensions(new DerReader(wrapped.content).next()) : [];
  return {
    issuer,
    thisUpdate,
    nextUpdate,
    number: readCrlNumber(extensions),
    authorityKeyId: readAuthorityKeyId(extensions),
    extensions,
    entries,
  };
}

/** All CRLs of a PEM text, in order. @throws X509Error */
export function decodeRevocationLists(pem: string): RevocationList[] {
  return decodePemBlocks(pem, 'X509 CRL').map((der) => {
    const frame = decodeFrame(der);
    return { ...frame, revokedSerials: decodeRevokedSerials(frame.entries) };
  });
}

/** The same for lists that may be long, on a thread that has other work. @throws X509Error */
export async function decodeRevocationListsInSlices(pem: string): Promise<RevocationList[]> {
  const lists: RevocationList[] = [];
  for (const der of decodePemBlocks(pem, 'X509 CRL')) {
    const frame = decodeFrame(der);
    lists.push({ ...frame, revokedSerials: await decodeRevokedSerialsInSlices(frame.entries) });
  }
  return lists;
}

export function encodeRevocationList(crl: RevocationList): string {
  return encodePem('X509 CRL', crl.raw);
}

/** Signs a CRL with the issuer's key. What it says is not decoded again: that would cost more than all else. */
export async function signRevocationList(
  content: RevocationListContent,
  signer: Signer,
): Promise<RevocationList> {
  const { added = [], base, issuer, number, authorityKeyId } = content;
  const entries = Buffer.concat([base?.entries ?? Buffer.alloc(0), ...added.map(encodeEntry)]);
  const extensions = [authorityKeyIdentifier(authorityKeyId), crlNumber(number)];
  const tbs = derSequence(
    derInteger(1),
    signer.algorithm,
    issuer.raw,
    derTime(content.thisUpdate),
    derTime(content.nextUpdate),
    // An empty list of entries must be left out (RFC 5280, 5.1.2.6).
    ...(entries.length > 0 ? [derSequence(entries)] : []),
    derElement(constructedContextTag(0), encodeExtensions(extensions)),
  );
  const signature = await signer.sign(tbs);
  const revokedSerials = new Set(base?.revokedSerials);
  for (const { serial } of added) revokedSerials.add(withoutLeadingZeros(serial));
  return {
    raw: derSequence(tbs, signer.algorithm, derBitString(signature)),
    tbs,
    signatureAlgorithm: signer.algorithm,
    signature,
    issuer,
    thisUpdate: content.thisUpdate,
    nextUpdate: content.nextUpdate,
    number,
    authorityKeyId: Buffer.from(authorityKeyId),
    extensions,
    entries,
    revokedSerials,
  };
}

function withoutLeadingZeros(serial: string): string {
  return serial.toUpperCase().replace(/^0+(?=.)/, '');
}

function encodeEntry({ serial, revokedAt, reason }: RevokedEntry): Buffer {
  const digits = serial.length % 2 === 0 ? serial : `0${serial}`;
  const value = derElement(derTags.enumerated, Buffer.from([reason]));
  return derSequence(
    derUnsigned(Buffer.from(digits, 'hex')),
    derTime(revokedAt),
    encodeExtensions([{ oid: oids.crlReason, critical: false, value }]),
  );
}

function isTimeTag(tag: number | undefined): boolean {
  return tag === derTags.utcTime || tag === derTags.generalizedTime;
}
