/**
 * Lists of the authorities above that `ca_crl.pem` has lost: agents check the whole chain and refuse every server when
 * one is missing. Cut between two blocks, the file looks whole.
 */

import type { Logger } from '../../../platform/log/index.ts';
import {
  type Certificate,
  decodeRevocationLists,
  isSignedBy,
  type RevocationList,
  renderName,
  X509Error,
} from '../../../platform/x509/index.ts';
import { type CaDirectory, findFile } from '../directory/ca-directory.ts';
import { loadRootSigner } from '../issuance/root-signer.ts';
import type { SigningIdentity } from '../issuance/signing-identity.ts';
import { signEmptyList } from './empty-list.ts';
import type { Revocations } from './revocations.ts';

/** The authorities of the chain whose list is not among `lists`. */
export function authoritiesWithoutList(
  { chain }: Pick<SigningIdentity, 'chain'>,
  lists: readonly RevocationList[],
): readonly Certificate[] {
  return chain.filter(({ subject }) => !lists.some(({ issuer }) => issuer.raw.equals(subject.raw)));
}

/** Adds what is missing, from `infra_crl.pem` or signed with the root's key where that is here, and logs it. */
export async function restoreMissingLists(
  directory: CaDirectory,
  identity: SigningIdentity,
  revocations: Revocations,
  { log, now }: { readonly log: Logger; readonly now: Date },
): Promise<void> {
  const missing = authoritiesWithoutList(identity, revocations.lists);
  if (missing.length === 0) return;
  const copies = await listsOf(directory.infraRevocationLists);
  const rootSigner = await loadRootSigner(directory);
  const restored: RevocationList[] = [];
  for (const authority of missing) {
    const fields = { name: renderName(authority.subject), file: directory.revocationLists };
    const copy = copies.find((list) => isSignedBy(list, authority.publicKeyInfo));
    if (copy) {
      restored.push(copy);
      log.error(fields, 'CRL of an authority above was missing: restored from infra_crl.pem');
    } else if (rootSigner?.publicKeyInfo.equals(authority.publicKeyInfo)) {
      restored.push(await signEmptyList(authority, rootSigner, now, true));
      log.error(fields, 'CRL of the root was missing: signed an empty one with the key of the root');
    } else log.error(fields, 'CRL of an authority above is missing: agents refuse every server');
  }
  if (restored.length > 0) await revocations.replaceOthers([...revocations.others, ...restored], now);
}

async function listsOf(path: string): Promise<readonly RevocationList[]> {
  try {
    return decodeRevocationLists((await findFile(path))?.content ?? '');
  } catch (error) {
    // Damaged as well: there is nothing to restore from.
    if (error instanceof X509Error) return [];
    throw error;
  }
}
