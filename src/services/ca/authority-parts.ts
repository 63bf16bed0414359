/** What an open authority works with, read from its directory and checked to belong together. */

import type { Logger } from '../../platform/log/index.ts';
import { type CaDirectory, findFile } from './ca-directory.ts';
import type { CaLock } from './ca-lock.ts';
import { CertificateRegister } from './certificate-register.ts';
import { Inventory } from './inventory.ts';
import { Revocations } from './revocations.ts';
import { SerialNumbers } from './serial-numbers.ts';
import { loadSigningIdentity, type SigningIdentity } from './signing-identity.ts';

export interface AuthorityParts {
  readonly directory: CaDirectory;
  /** Absent when opened for reading only. */
  readonly lock: CaLock | undefined;
  readonly identity: SigningIdentity;
  readonly inventory: Inventory;
  readonly serials: SerialNumbers;
  readonly revocations: Revocations;
  readonly register: CertificateRegister;
  readonly infraRevocations: Revocations | undefined;
}

/** @throws ServiceError `conflict` when the files don't fit together */
export async function loadParts(directory: CaDirectory, log: Logger, lock?: CaLock): Promise<AuthorityParts> {
  const identity = await loadSigningIdentity(directory);
  const inventory = await Inventory.load(directory.inventory, lock !== undefined);
  const revocations = await Revocations.load(directory.revocationLists, identity);
  const hasInfra = (await findFile(directory.infraRevocationLists)) !== undefined;
  return {
    directory,
    lock,
    identity,
    inventory,
    serials: await SerialNumbers.load(directory.serial, highestSerial(inventory, revocations)),
    revocations,
    register: new CertificateRegister(directory, revocations, log),
    infraRevocations: hasInfra ? await Revocations.load(directory.infraRevocationLists, identity) : undefined,
  };
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
