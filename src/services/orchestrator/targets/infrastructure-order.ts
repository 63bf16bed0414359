/** In which order Puppet runs on the servers of the installation. Pure. */

export type ServerRole = 'compile server' | 'puppetdb' | 'console' | 'primary';

export interface InfrastructureServer {
  readonly certname: string;
  readonly role: ServerRole;
}

/**
 * What a new compile server exports is collected by PuppetDB and the console, and the primary needs all of them.
 *
 * @see Puppet Enterprise 2018.1, "Installing compile masters", and 3.7, "Additional Puppet masters"
 */
const order: readonly ServerRole[] = ['compile server', 'puppetdb', 'console', 'primary'];

export interface InfrastructureLevel {
  readonly role: ServerRole;
  readonly certnames: readonly string[];
}

/** @returns the servers by level; roles that no server has are left out */
export function infrastructureLevels(
  servers: readonly InfrastructureServer[],
): readonly InfrastructureLevel[] {
  return order
    .map((wanted) => ({
      role: wanted,
      certnames: servers.filter(({ role }) => role === wanted).map(({ certname }) => certname),
    }))
    .filter(({ certnames }) => certnames.length > 0);
}
