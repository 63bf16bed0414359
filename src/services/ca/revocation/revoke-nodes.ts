/** Revokes all that nodes have. */

import { type AuthorityParts, type CaEnvironment, validSerials } from '../authority-parts.ts';
import { findFile } from '../directory/ca-directory.ts';

/**
 * Puts every certificate of these nodes that has not expired on the list, and on that of the infrastructure when one of them
 * belongs to it.
 *
 * @returns their serial numbers; `undefined` when all were on the list already
 */
export async function revokeNodes(
  parts: AuthorityParts,
  certnames: readonly string[],
  { log, now: clock }: Pick<CaEnvironment, 'log' | 'now'>,
): Promise<readonly string[] | undefined> {
  const { directory, infraRevocations, revocations } = parts;
  const now = clock();
  const found = await Promise.all(certnames.map((name) => validSerials(parts, name, now)));
  const serials = found.flat();
  const infraNames = ((await findFile(directory.infraInventory))?.content ?? '').split('\n');
  if (certnames.some((name) => name !== '' && infraNames.includes(name)))
    await infraRevocations?.revoke(serials, now);
  if (!(await revocations.revoke(serials, now))) return undefined;
  log.info({ certnames, serials }, 'revoked certificates');
  return serials;
}
