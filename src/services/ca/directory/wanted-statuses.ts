/** Which statuses a list has: in a state, with words, a page at a time. There may be a hundred thousand. */

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

/** What a status is searched in, made once. */
export interface Searchable {
  /** One on each line. */
  readonly names: string;
  readonly digest: string;
}

export function searchable({ fingerprints, name, subjectAltNames }: CertificateStatus): Searchable {
  return {
    names: [name, ...subjectAltNames].join('\n').toLowerCase(),
    digest: plainDigest(fingerprints.sha256),
  };
}

export function hasWords({ digest, names }: Searchable, words: readonly string[]): boolean {
  return words.every((word) => names.includes(word) || isPartOf(digest, word));
}

/** Short words are in many digests by chance. */
function isPartOf(digest: string, word: string): boolean {
  if (word.length < 8) return false;
  const part = plainDigest(word);
  return part.length >= 8 && digest.includes(part);
}

function plainDigest(text: string): string {
  return text.replaceAll(':', '').toLowerCase();
}

interface Named {
  readonly status: Pick<CertificateStatus, 'name'>;
}

/**
 * @param requests - and `certificates`, each in the order of their names
 * @returns those that are wanted, at most one page, in the order in which the list has them
 */
export function selected<T extends Named>(
  requests: readonly T[],
  certificates: readonly T[],
  { after = '', limit }: WantedStatuses,
  isWanted: (one: T) => boolean,
): readonly T[] {
  if (after === '' && limit === undefined) return [...requests, ...certificates].filter(isWanted);
  const page: T[] = [];
  for (const one of inOrder(requests, certificates)) {
    const { name } = one.status;
    if (name <= after) continue;
    if (limit !== undefined && page.length >= limit && name !== page.at(-1)?.status.name) break;
    if (isWanted(one)) page.push(one);
  }
  return page;
}

/** Two sorted lists as one. */
function* inOrder<T extends Named>(one: readonly T[], other: readonly T[]): Generator<T> {
  let [next, nextOther] = [0, 0];
  for (;;) {
    const [left, right] = [one[next], other[nextOther]];
    if (left !== undefined && (right === undefined || left.status.name <= right.status.name)) {
      next += 1;
      yield left;
    } else if (right !== undefined) {
      nextOther += 1;
      yield right;
    } else return;
  }
}
