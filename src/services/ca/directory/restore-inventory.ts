/**
 * An inventory that was emptied or damaged: revoking by name would miss certificates, and numbers could be used twice.
 * What `signed/` has is added again; older certificates of a node are lost with their lines.
 */

import type { Logger } from '../../../platform/log/index.ts';
import {
  type Certificate,
  decodeCertificates,
  isSignedBy,
  renderName,
  X509Error,
} from '../../../platform/x509/index.ts';
import type { SigningIdentity } from '../issuance/signing-identity.ts';
import type { CaDirectory } from './ca-directory.ts';
import type { Inventory } from './inventory.ts';

const concurrency = 64;

/** Adds a line for each certificate in `signed/` whose name the inventory does not know, and logs what was wrong. */
export async function restoreInventory(
  directory: CaDirectory,
  inventory: Inventory,
  { certificate: { publicKeyInfo } }: SigningIdentity,
  log: Logger,
): Promise<void> {
  const file = directory.inventory;
  if (inventory.unreadableLines > 0)
    log.error({ file, lines: inventory.unreadableLines }, 'inventory has lines that cannot be read');
  const unknown = (await directory.list('signed')).filter((certname) => !inventory.has(certname));
  const missing: Certificate[] = [];
  const read = async () => {
    for (let certname = unknown.pop(); certname !== undefined; certname = unknown.pop()) {
      const certificate = await readSigned(directory, certname, log);
      // Only what the authority has signed for that name: others would be looked for again at each start.
      if (
        certificate &&
        renderName(certificate.subject) === `/CN=${certname}` &&
        isSignedBy(certificate, publicKeyInfo)
      )
        missing.push(certificate);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, read));
  if (missing.length === 0) return;
  missing.sort((a, b) => Number(BigInt(`0x${a.serial}`) - BigInt(`0x${b.serial}`)));
  await inventory.append(missing);
  log.error(
    { file, count: missing.length },
    'inventory lacked certificates: added those in signed/, older ones of the same nodes cannot be revoked by name',
  );
}

async function readSigned(
  directory: CaDirectory,
  certname: string,
  log: Logger,
): Promise<Certificate | undefined> {
  const file = await directory.find('signed', certname);
  try {
    return file && decodeCertificates(file.content)[0];
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    log.error({ certname, err: error }, 'unreadable certificate in signed/');
    return undefined;
  }
}
