/** What an authority needs from time to time, and what it says of its own state. */

import type { Logger } from '../../../platform/log/index.ts';
import {
  commonName,
  daysUntil,
  keyIdentifier,
  type RevocationList,
  renderName,
  signRevocationList,
} from '../../../platform/x509/index.ts';
import type { AuthorityParts } from '../authority-parts.ts';
import type { CaDirectory } from '../directory/ca-directory.ts';
import type { Inventory } from '../directory/inventory.ts';
import { authorityWarningMs, crlRenewalMs, pruneAfterMs } from '../expiry.ts';
import { loadRootSigner } from '../issuance/root-signer.ts';
import { type Term, termState } from '../term.ts';
import { revocationListValidity } from '../validity.ts';
import { authoritiesWithoutList } from './missing-lists.ts';
import type { Revocations } from './revocations.ts';

export interface MaintenanceReport {
  readonly hasChanged: boolean;
  /** Entries of certificates that have expired. */
  readonly pruned: number;
}

export interface CaHealth {
  /** By common name, in the order of the bundle. */
  readonly certificates: readonly (Term & { readonly endsAt: Date })[];
  /** Our own first. */
  readonly lists: readonly Term[];
  /** The authorities of the chain that have no list. */
  readonly withoutList: readonly string[];
  /** Whether the signing certificate is valid: nothing that is signed now could be used otherwise. */
  readonly isCurrent: boolean;
}

/**
 * Signs lists anew that would lapse within half a year, the root's own too where its key is at hand, and takes the
 * certificates off our list that expired more than a week ago. Logs what ends soon, is over or is not valid yet.
 *
 * Does nothing else while the authority's own certificate is not valid: then the clock is wrong, or clients refuse what
 * it signs. With a clock that is 20 years ahead, all revoked certificates would have expired and left the list.
 *
 * @param isForced - sign our list anew in any case
 */
export async function maintain(
  parts: AuthorityParts,
  now: Date,
  isForced: boolean,
  log: Logger,
): Promise<MaintenanceReport> {
  const { directory, infraRevocations, inventory, revocations } = parts;
  const health = healthOf(parts, now);
  if (!health.isCurrent && !isForced) {
    warnOfEnds(health, now, log);
    return { hasChanged: false, pruned: 0 };
  }
  const expired = inventory.expiredBefore(new Date(now.getTime() - pruneAfterMs));
  const keep = (serial: string) => !expired.has(serial);
  const own = await maintainList(revocations, keep, now, isForced);
  if (infraRevocations) await maintainList(infraRevocations, keep, now, isForced);
  const others = await renewOthers(parts, directory, now);
  if (others) {
    await revocations.replaceOthers(others, now);
    await infraRevocations?.replaceOthers(others, now);
  }
  if (own.hasChanged) log.info({ pruned: own.removed }, 'signed the CRL anew');
  warnOfEnds(healthOf(parts, now), now, log);
  warnOfEarly(inventory, now, log);
  return { hasChanged: own.hasChanged || others !== undefined, pruned: own.removed };
}

export function healthOf({ identity, revocations }: AuthorityParts, now: Date): CaHealth {
  const { notAfter: endsAt, notBefore: startsAt } = identity.certificate;
  return {
    certificates: identity.bundleCertificates.map(({ notAfter, notBefore, subject }) => ({
      kind: 'certificate',
      name: commonName(subject) ?? renderName(subject),
      startsAt: notBefore,
      endsAt: notAfter,
    })),
    lists: revocations.lists.map(({ issuer, nextUpdate, thisUpdate }) => ({
      kind: 'CRL',
      name: commonName(issuer) ?? renderName(issuer),
      startsAt: thisUpdate,
      endsAt: nextUpdate,
    })),
    withoutList: authoritiesWithoutList(identity, revocations.lists).map(({ subject }) =>
      renderName(subject),
    ),
    isCurrent: termState({ startsAt, endsAt }, now) === 'valid',
  };
}

function maintainList(
  list: Revocations,
  keep: (serial: string) => boolean,
  now: Date,
  isForced: boolean,
): ReturnType<Revocations['prune']> {
  return isForced || lapses(list.own, now) ? list.renew(now, keep) : list.prune(now, keep);
}

/** Or was signed with a clock that was ahead, so that clients do not accept it yet. */
function lapses({ nextUpdate: endsAt, thisUpdate: startsAt }: RevocationList, now: Date): boolean {
  return termState({ startsAt, endsAt }, now, crlRenewalMs) !== 'valid';
}

/** The root's list, signed with the root's key that `setup` leaves beside it; `undefined` when nothing is to be done. */
async function renewOthers(
  { identity, revocations }: AuthorityParts,
  directory: CaDirectory,
  now: Date,
): Promise<readonly RevocationList[] | undefined> {
  if (!revocations.others.some((list) => lapses(list, now))) return undefined;
  const signer = await loadRootSigner(directory);
  const root =
    signer &&
    identity.bundleCertificates.find(({ publicKeyInfo }) => publicKeyInfo.equals(signer.publicKeyInfo));
  if (!signer || !root) return undefined;
  return Promise.all(
    revocations.others.map(async (list) => {
      if (!list.issuer.raw.equals(root.subject.raw) || !lapses(list, now)) return list;
      const number = (list.number ?? 0n) + 1n;
      const authorityKeyId = list.authorityKeyId ?? keyIdentifier(root.publicKeyInfo);
      const content = {
        issuer: list.issuer,
        ...revocationListValidity(now),
        number,
        authorityKeyId,
        base: list,
      };
      return signRevocationList(content, signer);
    }),
  );
}

function warnOfEnds({ certificates, lists }: CaHealth, now: Date, log: Logger): void {
  for (const term of certificates) {
    const fields = { name: term.name, startsAt: term.startsAt, endsAt: term.endsAt };
    const state = termState(term, now, authorityWarningMs);
    if (state === 'early')
      log.error(fields, 'certificate of the authority is not valid yet: the clock is or was wrong');
    if (state === 'over') log.error(fields, 'certificate of the authority has expired');
    if (state === 'soon')
      log.warn({ ...fields, days: daysUntil(term.endsAt, now) }, 'certificate of the authority ends soon');
  }
  for (const term of lists) {
    const fields = { name: term.name, startsAt: term.startsAt, endsAt: term.endsAt };
    const state = termState(term, now, crlRenewalMs);
    if (state === 'early') log.error(fields, 'CRL is not valid yet: the clock is or was wrong');
    if (state === 'over') log.error(fields, 'CRL has lapsed and its key is not here');
    if (state === 'soon') log.warn(fields, 'CRL lapses soon and its key is not here');
  }
}

/** Certificates of nodes that are signed again only when somebody asks for that. */
function warnOfEarly(inventory: Inventory, now: Date, log: Logger): void {
  const certnames = inventory.notYetValid(now);
  if (certnames.length === 0) return;
  const fields = { count: certnames.length, certnames: certnames.slice(0, 20) };
  log.error(
    fields,
    'certificates of nodes are not valid yet: clean them, the clock was wrong when they were signed',
  );
}
