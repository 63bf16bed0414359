/** Which statuses a list has: in a state, with words, a page at a time. */

import type { CertificateState, CertificateStatus } from '../certificate-status.ts';

export interface WantedStatuses {
  readonly state?: CertificateState | undefined;
  /** Words, each in the certname, an alternative name or (from 8 digits on) the SHA-256 fingerprint. */
  readonly words?: readonly string[];
  /** Only names behind this one; gives the list the order of names. */
  readonly after?: string | undefined;
  /** Gives the list the order of names. A request and a certificate of one name come in the same page. */
  readonly limit?: number | undefined;
}

/** @param search - what a person typed */
export function wordsIn(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

export function hasWords(status: CertificateStatus, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const names = [status.name, ...status.subjectAltNames].map((name) => name.toLowerCase());
  const digest = plainDigest(status.fingerprints.sha256);
  return words.every((word) => names.some((name) => name.includes(word)) || isPartOf(digest, word));
}

/** Short words are in many digests by chance. */
function isPartOf(digest: string, word: string): boolean {
  const part = plainDigest(word);
  return part.length >= 8 && digest.includes(part);
}

/** @param found - requests, then certificates, each in the order of their names */
export function pageOf<T extends { readonly status: CertificateStatus }>(
  found: readonly T[],
  { after, limit }: WantedStatuses,
): readonly T[] {
  if (after === undefined && limit === undefined) return found;
  const sorted = found
    .filter(({ status: { name } }) => after === undefined || name > after)
    .toSorted((a, b) => (a.status.name < b.status.name ? -1 : a.status.name > b.status.name ? 1 : 0));
  if (limit === undefined) return sorted;
  const last = sorted[limit - 1]?.status.name;
  return sorted.filter(({ status: { name } }, index) => index < limit || name === last);
}

function plainDigest(text: string): string {
  return text.replaceAll(':', '').toLowerCase();
}
