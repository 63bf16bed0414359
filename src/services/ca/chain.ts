/** From a signing certificate up to a root, with the list of each authority: what is wrong with it, in words. */

import {
  type Certificate,
  isCaExtensions,
  isSignedBy,
  type RevocationList,
  renderName,
} from '../../platform/x509/index.ts';

const longestChain = 16;

/** `leaf` and the authorities above it, as far as `certificates` has them; the root last. */
export function chainOf(leaf: Certificate, certificates: readonly Certificate[]): readonly Certificate[] {
  const chain = [leaf];
  for (let last = leaf; !isSelfSigned(last) && chain.length < longestChain; ) {
    const { issuer } = last;
    const next = certificates.find(
      (candidate) => candidate.subject.raw.equals(issuer.raw) && isSignedBy(last, candidate.publicKeyInfo),
    );
    if (!next) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

/** @param chain - as `chainOf` gives it */
export function certificateProblems(chain: readonly Certificate[], now: Date): string[] {
  const problems = chain.flatMap((certificate) => {
    const name = renderName(certificate.subject);
    const found: string[] = [];
    if (!isCaExtensions(certificate.extensions))
      found.push(`The certificate ${name} is not that of an authority`);
    if (now < certificate.notBefore) found.push(`The certificate ${name} is not valid yet`);
    if (certificate.notAfter < now)
      found.push(`The certificate ${name} has expired on ${certificate.notAfter.toISOString()}`);
    return found;
  });
  const last = chain.at(-1);
  if (last && !isSelfSigned(last))
    problems.push(
      `The issuer ${renderName(last.issuer)} of ${renderName(last.subject)} is missing: the chain has no root`,
    );
  return problems;
}

/** @param lists - those of the authorities in `chain`, in any order */
export function listProblems(
  chain: readonly Certificate[],
  lists: readonly RevocationList[],
  now: Date,
): string[] {
  return chain.flatMap((authority) => {
    const name = renderName(authority.subject);
    const own = lists.filter(({ issuer }) => issuer.raw.equals(authority.subject.raw));
    const [list] = own;
    if (!list) return [`There is no CRL of ${name}`];
    const problems: string[] = [];
    if (own.length > 1) problems.push(`There are ${own.length} CRLs of ${name}`);
    if (!isSignedBy(list, authority.publicKeyInfo))
      problems.push(`The CRL of ${name} is not signed by it, or in a way that is not accepted any more`);
    if (list.nextUpdate && list.nextUpdate < now)
      problems.push(`The CRL of ${name} has lapsed on ${list.nextUpdate.toISOString()}`);
    const revoked = chain.find(
      ({ issuer, serial }) => issuer.raw.equals(list.issuer.raw) && list.revokedSerials.has(serial),
    );
    if (revoked) problems.push(`The certificate ${renderName(revoked.subject)} is revoked by ${name}`);
    return problems;
  });
}

/** By its names: roots of companies may be signed with SHA-1 still, and that signature is not relied on. */
export function isSelfSigned({ issuer, subject }: Certificate): boolean {
  return issuer.raw.equals(subject.raw);
}
