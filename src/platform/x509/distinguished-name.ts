/** Distinguished names: the subject and the issuer of a certificate. */

import {
  DerReader,
  decodeOid,
  decodeText,
  derOid,
  derSequence,
  derSet,
  derTags,
  derUtf8String,
} from '../../lib/der/index.ts';
import { oids } from './oids.ts';
import { X509Error } from './x509-error.ts';

interface NameAttribute {
  readonly oid: string;
  readonly value: string;
}

export interface DistinguishedName {
  /** The encoding as found: names are compared and copied octet by octet. */
  readonly raw: Buffer;
  /** In the order of the encoding; a multi-valued RDN is flattened. */
  readonly attributes: readonly NameAttribute[];
}

/** A name of one common name, which is all that Puppet's certificates have. */
export function commonNameOnly(value: string): DistinguishedName {
  const raw = derSequence(derSet(derSequence(derOid(oids.commonName), derUtf8String(value))));
  return { raw, attributes: [{ oid: oids.commonName, value }] };
}

/** @param raw - the whole SEQUENCE @throws X509Error */
export function decodeName(raw: Buffer): DistinguishedName {
  const rdns = new DerReader(raw).sequence();
  const attributes: NameAttribute[] = [];
  while (!rdns.isAtEnd) {
    const rdn = new DerReader(rdns.read(derTags.set).content);
    while (!rdn.isAtEnd) attributes.push(readAttribute(rdn.sequence()));
  }
  return { raw, attributes };
}

/** The first common name, or `undefined`. */
export function commonName(name: DistinguishedName): string | undefined {
  return name.attributes.find(({ oid }) => oid === oids.commonName)?.value;
}

const shortTypes: ReadonlyMap<string, string> = new Map([
  [oids.commonName, 'CN'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
]);

/** `/CN=agent.example.net`, as OpenSSL's one-line form and the inventory have it. */
export function renderName(name: DistinguishedName): string {
  return name.attributes.map(({ oid, value }) => `/${shortTypes.get(oid) ?? oid}=${value}`).join('');
}

function readAttribute(pair: DerReader): NameAttribute {
  const oid = decodeOid(pair.next());
  const value = decodeText(pair.next());
  pair.end();
  if (value === undefined) throw new X509Error(`The name's attribute ${oid} is not a string`);
  return { oid, value };
}
