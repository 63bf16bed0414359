/** Which clients are servers of the installation. */

import { hasCompilerRole, type Identity } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

/**
 * A compile server's certificate has the role `pp_auth_role: pe_compiler`, which the authority signs only when it is told
 * to. So are alternative names: a node that was signed with some, and that calls itself a compile server by `pp_role`, is
 * one, too, as in installations that were set up by hand. `pp_role` alone is what any agent may ask for.
 */
export function infrastructurePredicate(
  settings: Pick<Settings, 'compileServerRoles' | 'compileServers'>,
): (identity: Identity) => boolean {
  const certnames = new Set(settings.compileServers.map((name) => name.toLowerCase()));
  const roles = new Set(settings.compileServerRoles);
  return (identity) => {
    if (identity.kind !== 'certificate') return false;
    if (hasCompilerRole(identity) || certnames.has(identity.certname)) return true;
    const role = identity.extensions['pp_role'];
    return role !== undefined && roles.has(role) && hasAltNames(identity);
  };
}

function hasAltNames({ certname, dnsAltNames = [] }: Extract<Identity, { kind: 'certificate' }>): boolean {
  return dnsAltNames.some((name) => name.toLowerCase() !== certname);
}
