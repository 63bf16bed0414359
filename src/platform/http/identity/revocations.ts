/**
 * Whom we trust and which certificates are revoked, told for each request without asking OpenSSL.
 *
 * OpenSSL is not given the lists: reading one of 20,000 entries takes it 30 ms on the main thread, each time that
 * somebody is revoked. What it would say of them is said here, of the authorities in between as of the client.
 */

import { type Certificate, decodeCertificates, type RevocationList } from '../../x509/index.ts';

/** What is needed of a revocation list. */
export type RevokedByIssuer = Pick<RevocationList, 'issuer' | 'revokedSerials' | 'nextUpdate'>;

/** Longer chains than any CA has. */
const maxDepth = 8;

export class Revocations {
  /** Certificates of the trusted authorities by their encoded name; several after one was extended. */
  private readonly authorities: ReadonlyMap<string, readonly Certificate[]>;
  /** By the issuer's encoded name: two authorities may use the same serial. */
  private readonly lists: ReadonlyMap<string, RevokedByIssuer> | undefined;

  private constructor(
    authorities: Revocations['authorities'],
    lists: readonly RevokedByIssuer[] | undefined,
  ) {
    this.authorities = authorities;
    this.lists = lists && new Map(lists.map((list) => [issuerKey(list.issuer.raw), list]));
  }

  /**
   * @param ca - the authorities whose clients are believed, as PEM
   * @param lists - of all authorities in the chain; nothing is revoked when absent
   * @throws X509Error for certificates that cannot be decoded
   */
  static of(ca: string, lists: readonly RevokedByIssuer[] | undefined): Revocations {
    return new Revocations(
      Map.groupBy(decodeCertificates(ca), ({ subject }) => issuerKey(subject.raw)),
      lists,
    );
  }

  /** The same authorities with newer lists. */
  with(lists: readonly RevokedByIssuer[]): Revocations {
    return new Revocations(this.authorities, lists);
  }

  /** Whether `issuer` names one of the authorities that are trusted. */
  knows(issuer: string): boolean {
    return this.authorities.has(issuer);
  }

  /**
   * Why a certificate does not count any more, in OpenSSL's words; `undefined` when it does.
   *
   * @param serial - upper-case hexadecimal without leading zeros
   */
  problem(issuer: string, serial: string, nowMs: number, depth = 0): string | undefined {
    if (this.lists === undefined) return undefined;
    const list = this.lists.get(issuer);
    if (list === undefined) return 'unable to get certificate CRL';
    if (list.revokedSerials.has(serial)) return 'certificate revoked';
    if (list.nextUpdate !== undefined && list.nextUpdate.getTime() <= nowMs) return 'CRL has expired';
    if (depth >= maxDepth) return 'certificate chain too long';
    const above = this.authorities.get(issuer) ?? [];
    const problems = above.map((authority) => this.authorityProblem(authority, nowMs, depth));
    return problems.includes(undefined) ? undefined : problems[0];
  }

  private authorityProblem(
    { issuer, serial, subject }: Certificate,
    nowMs: number,
    depth: number,
  ): string | undefined {
    if (issuer.raw.equals(subject.raw)) return undefined;
    return this.problem(issuerKey(issuer.raw), serial, nowMs, depth + 1);
  }
}

/** @param name - a distinguished name as DER */
export function issuerKey(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1');
}
