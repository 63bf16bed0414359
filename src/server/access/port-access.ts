/** Who may call the ports of the primary that are not for agents. */

import type { IdentityAccess } from '../../platform/http/index.ts';

/** Certificates with one of these names. */
export function certnames(names: readonly string[]): IdentityAccess {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return { kind: 'certname', allows: (certname) => known.has(certname) };
}

export function anyOf(...of: readonly IdentityAccess[]): IdentityAccess {
  return { kind: 'any-of', of };
}

/**
 * Users with a permission, and certificates.
 *
 * @param instance - `*`: those who have it for all objects; any object will do when absent
 */
export function usersAnd(
  certificates: IdentityAccess,
  objectType: string,
  action: string,
  instance?: '*',
): IdentityAccess {
  const permission = { objectType, action, ...(instance === undefined ? {} : { instance }) };
  return anyOf({ kind: 'permission', permission }, certificates);
}
