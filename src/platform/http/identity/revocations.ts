/** Which certificates are revoked, told for each request without asking OpenSSL again. */

import { decodeRevocationLists } from '../../x509/index.ts';

export class Revocations {
  /** Serials by the issuer's encoded name: two authorities may use the same serial. */
  private readonly byIssuer: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param crl - revocation lists as PEM @throws X509Error */
  constructor(crl: string | undefined) {
    const lists = crl === undefined ? [] : decodeRevocationLists(crl);
    this.byIssuer = new Map(lists.map((list) => [issuerKey(list.issuer.raw), list.revokedSerials]));
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
