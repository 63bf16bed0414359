/** What an open authority works with, read from its directory and checked to belong together. */

import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../../lib/atomic-file.ts';
import type { Logger } from '../../platform/log/index.ts';
import { encodeRevocationList, loadOidNames, type OidNames } from '../../platform/x509/index.ts';
import type { CaSettings } from './ca-settings.ts';
import { type CaDirectory, findFile, publicMode } from './directory/ca-directory.ts';
import type { CaLock } from './directory/ca-lock.ts';
import { CertificateRegister } from './directory/certificate-register.ts';
import { Inventory } from './directory/inventory.ts';
import { RequestOrigins } from './directory/request-origins.ts';
import { restoreInventory } from './directory/restore-inventory.ts';
import { SerialNumbers } from './directory/serial-numbers.ts';
import { Issuance } from './issuance/issuance.ts';
import { loadSigningIdentity, type SigningIdentity } from './issuance/signing-identity.ts';
import { parseSigningPolicy, type SigningPolicy } from './requests/signing-policy.ts';
import { signEmptyList } from './revocation/empty-list.ts';
import { restoreMissingLists } from './revocation/missing-lists.ts';
import { Revocations } from './revocation/revocations.ts';
import type { SigningProcess } from './signer/signing-process.ts';

export interface AuthorityParts {
  readonly directory: CaDirectory;
  /** Absent when opened for reading only. */
  readonly lock: CaLock | undefined;
  readonly identity: SigningIdentity;
  readonly inventory: Inventory;
  readonly issuance: Issuance;
  readonly revocations: Revocations;
  readonly register: CertificateRegister;
  readonly requestOrigins: RequestOrigins;
  readonly infraRevocations: Revocations | undefined;
  readonly oidNames: OidNames;
  /** Absent where no file is named. Replaced when it is read again. */
  policy: SigningPolicy | undefined;
}

export interface CaEnvironment {
  readonly log: Logger;
  readonly now: () => Date;
  /** Signs instead of this process; the key is used here when absent. */
  readonly signing?: SigningProcess | undefined;
}

/** @throws ServiceError `conflict` when the files don't fit together */
export async function loadParts(
  directory: CaDirectory,
  settings: CaSettings,
  { log, now, signing }: CaEnvironment,
  lock?: CaLock,
): Promise<AuthorityParts> {
  const identity = await loadSigningIdentity(directory, settings.signingCommand, signing);
  const inventory = await Inventory.load(directory.inventory, lock !== undefined);
  if (lock) await restoreInventory(directory, inventory, identity, log);
  const revocations = await Revocations.load(directory.revocationLists, identity);
  if (lock) await restoreMissingLists(directory, identity, revocations, { log, now: now() });
  if (settings.enableInfraCrl && lock) await ensureInfraList(directory, identity, revocations, now());
  const hasInfra = (await findFile(directory.infraRevocationLists)) !== undefined;
  const serials = await SerialNumbers.load(directory.serial, highestSerial(inventory, revocations));
  const oidNames = await loadOidNames(settings.oidMappingFile, log);
  return {
    directory,
    lock,
    identity,
    inventory,
    issuance: new Issuance({ directory, identity, inventory, serials, now }),
    revocations,
    register: await CertificateRegister.open(directory, revocations, oidNames, log),
    requestOrigins: new RequestOrigins(directory, now, log),
    infraRevocations: hasInfra ? await Revocations.load(directory.infraRevocationLists, identity) : undefined,
    oidNames,
    policy: await loadPolicy(settings, oidNames),
  };
}

/** Installations older than the list for infrastructure have none: it begins empty, as with `ca enable --infracrl`. */
async function ensureInfraList(
  directory: CaDirectory,
  { certificate, signer }: SigningIdentity,
  { others }: Revocations,
  now: Date,
): Promise<void> {
  if (await findFile(directory.infraRevocationLists)) return;
  const lists = [await signEmptyList(certificate, signer, now), ...others];
  const pem = lists.map(encodeRevocationList).join('');
  await writeFileAtomically(directory.infraRevocationLists, pem, publicMode);
}

export async function loadPolicy(
  { policyFile: file, serverRoles }: Pick<CaSettings, 'policyFile' | 'serverRoles'>,
  oidNames: OidNames,
): Promise<SigningPolicy | undefined> {
  if (file === '') return undefined;
  return parseSigningPolicy(await readFile(file, 'utf8'), file, oidNames, serverRoles);
}

/** The highest number that the inventory or the CRL knows. */
function highestSerial(inventory: Inventory, revocations: Revocations): bigint {
  let highest = inventory.highestSerial;
  for (const serial of revocations.revokedSerials) {
    const value = BigInt(`0x${serial}`);
    if (value > highest) highest = value;
  }
  return highest;
}

/** Serial numbers of the valid certificates of a node: of those in the inventory and the stored one. */
export async function validSerials(
  { inventory, register }: AuthorityParts,
  certname: string,
  now: Date,
): Promise<string[]> {
  const stored = await register.findCertificate(certname);
  return [...inventory.validSerials(certname, now), ...(stored ? [stored.serial] : [])];
}
