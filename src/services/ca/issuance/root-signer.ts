/** The root's key, where `setup` has left it beside the authority. */

import { readFile } from 'node:fs/promises';
import { decodePrivateKey, keySigner, type Signer } from '../../../platform/x509/index.ts';
import type { CaDirectory } from '../directory/ca-directory.ts';

/** `undefined` when the root's owner has it elsewhere, or under a passphrase. */
export async function loadRootSigner(directory: CaDirectory): Promise<Signer | undefined> {
  try {
    return keySigner(decodePrivateKey(await readFile(directory.rootKey, 'utf8'), directory.rootKey));
  } catch {
    // Not there, or kept under a passphrase: the root's owner signs its list.
    return undefined;
  }
}
