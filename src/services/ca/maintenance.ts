/** What an authority needs from time to time, and what it says of its own state. */

import { readFile } from 'node:fs/promises';
import type { Logger } from '../../platform/log/index.ts';
import {
  commonName,
  daysUntil,
  decodePrivateKey,
  keyIdentifier,
  keySigner,
  type RevocationList,
  renderName,
  signRevocationList,
} from '../../platform/x509/index.ts';
import type { AuthorityParts } from './authority-parts.ts';
import type { CaDirectory } from './ca-directory.ts';
import { authorityWarningMs, crlRenewalMs, pruneAfterMs } from './expiry.ts';
import type { Revocations } from './revocations.ts';
import { revocationListValidity } from './validity.ts';

export interface MaintenanceReport {
  readonly hasChanged: boolean;
  /** Entries of certificates that have expired. */
  readonly pruned: number;
}

export interface CaHealth {
  /** By common name, the signing certificate first. */
  readonly certificates: readonly { readonly name: string; readonly endsAt: Date }[];
  /** Our own first; a list without an end does not lapse. */
  readonly lists: readonly { readonly name: string; readonly endsAt: Date | undefined }[];
}

/**
 * Signs lists anew that would lapse within half a year, the root's own too where its key is at hand, and takes the
 * certificates off our list that expired more than a week ago. Logs what ends soon.
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
  warnOfEnds(healthOf(parts), now, log);
  return { hasChanged: own.hasChanged || others !== undefined, pruned: own.removed };
}

export function healthOf({ identity, revocations }: AuthorityParts): CaHealth {
  return {
    certificates: identity.bundleCertificates.map(({ notAfter, subject }) => ({
      name: commonName(subject) ?? renderName(subject),
      endsAt: notAfter,
    })),
    lists: revocations.lists.map(({ issuer, nextUpdate }) => ({
      name: commonName(issuer) ?? renderName(issuer),
      endsAt: nextUpdate,
    })),
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

function lapses({ nextUpdate }: RevocationList, now: Date): boolean {
  return nextUpdate !== undefined && nextUpdate.getTime() - now.getTime() < crlRenewalMs;
}

/** The root's list, signed with the root's key that `setup` leaves beside it; `undefined` when nothing is to be done. */
async function renewOthers(
  { identity, revocations }: AuthorityParts,
  directory: CaDirectory,
  now: Date,
): Promise<readonly RevocationList[] | undefined> {
  if (!revocations.others.some((list) => lapses(list, now))) return undefined;
  const signer = await rootSigner(directory);
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

async function rootSigner(directory: CaDirectory): Promise<ReturnType<typeof keySigner> | undefined> {
  try {
    return keySigner(decodePrivateKey(await readFile(directory.rootKey, 'utf8'), directory.rootKey));
  } catch {
    // Not there, or kept under a passphrase: the root's owner signs its list.
    return undefined;
  }
}

function warnOfEnds({ certificates, lists }: CaHealth, now: Date, log: Logger): void {
  for (const { endsAt, name } of certificates) {
    if (endsAt.getTime() - now.getTime() < authorityWarningMs)
      log.warn({ name, days: daysUntil(endsAt, now) }, 'certificate of the authority ends soon');
  }
  for (const { endsAt, name } of lists) {
    if (endsAt && endsAt.getTime() - now.getTime() < crlRenewalMs)
      log.warn({ name, days: daysUntil(endsAt, now) }, 'CRL lapses soon and its key is not here');
  }
}
