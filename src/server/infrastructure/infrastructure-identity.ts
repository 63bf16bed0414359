/** Which clients are servers of the installation. */

import { hasCompilerRole, type Identity } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';

const compilerRole = 'pe_compiler';

type CertificateIdentity = Extract<Identity, { kind: 'certificate' }>;

/** What counts of a certificate. */
export type ProvenServer = Pick<CertificateIdentity, 'certname' | 'extensions' | 'serial'>;

/** Knows of groups whose members are servers. */
export interface ServerGroups {
  /** Whether a certificate's owner belongs to such a group by what the certificate proves. */
  entitles(certificate: ProvenServer): boolean;
  /** The same without the certificate itself, for what is asked seldom. */
  proves(node: Omit<ProvenServer, 'serial'>): boolean;
}

/**
 * A compile server's certificate has the role `pp_auth_role: pe_compiler`, which the authority signs only when it is told
 * to; or an operator names the node, by a setting or by a group of the classifier. A `pp_role` is a right only where
 * `compile_server_roles` lists it, and together with alternative names: the authority then signs it like an authorization
 * extension.
 */
export function infrastructurePredicate(
  settings: Pick<Settings, 'compileServerRoles' | 'compileServers'>,
  groups?: Pick<ServerGroups, 'entitles'>,
): (identity: Identity) => boolean {
  const certnames = new Set(settings.compileServers.map((name) => name.toLowerCase()));
  const roles = new Set(settings.compileServerRoles);
  return (identity) => {
    if (identity.kind !== 'certificate') return false;
    if (hasCompilerRole(identity) || certnames.has(identity.certname)) return true;
    const role = identity.extensions['pp_role'];
    if (role !== undefined && roles.has(role) && hasAltNames(identity)) return true;
    return groups?.entitles(identity) === true;
  };
}

/**
 * Whether a node would be a server by what is known of its certificate without its alternative names. Decides what Puppet runs
 * install, never what a request may do.
 */
export function mayBecomeServer(
  { compileServerRoles, compileServers }: Pick<Settings, 'compileServerRoles' | 'compileServers'>,
  groups: Pick<ServerGroups, 'proves'> | undefined,
  { certname, extensions }: Omit<ProvenServer, 'serial'>,
): boolean {
  const { pp_auth_role: authRole, pp_role: role } = extensions;
  return (
    authRole === compilerRole ||
    compileServers.some((name) => name.toLowerCase() === certname) ||
    (role !== undefined && compileServerRoles.includes(role)) ||
    groups?.proves({ certname, extensions }) === true
  );
}

function hasAltNames({ certname, dnsAltNames = [] }: CertificateIdentity): boolean {
  return dnsAltNames.some((name) => name.toLowerCase() !== certname);
}
