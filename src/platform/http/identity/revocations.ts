/** Whom we trust and which certificates are revoked, told for each request without asking OpenSSL again. */

import { decodeCertificates, decodeRevocationLists } from '../../x509/index.ts';
import type { TlsMaterial } from '../tls-material.ts';

export class Revocations {
  /** Serials by the issuer's encoded name: two authorities may use the same serial. */
  private readonly byIssuer: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly authorities: ReadonlySet<string>;

  /** @throws X509Error for certificates or lists that cannot be decoded */
  constructor(material: Pick<TlsMaterial, 'ca' | 'crl'>) {
    const lists = material.crl === undefined ? [] : decodeRevocationLists(material.crl);
    this.byIssuer = new Map(lists.map((list) => [issuerKey(list.issuer.raw), list.revokedSerials]));
    this.authorities = new Set(decodeCertificates(material.ca).map(({ subject }) => issuerKey(subject.raw)));
  }

  /** Whether `issuer` names one of the authorities that are trusted. */
  knows(issuer: string): boolean {
    return this.authorities.has(issuer);
  }

  /** @param serial - upper-case hexadecimal without leading zeros */
  has(issuer: string, serial: string): boolean {
    return this.byIssuer.get(issuer)?.has(serial) === true;
  }
}

/** @param name - a distinguished name as DER */
export function issuerKey(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1');
}
