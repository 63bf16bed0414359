/** Which servers serve the deployed version. */

interface Deployed {
  readonly environment: string;
  readonly 'environment-commit': string;
}

export interface ServingServer {
  readonly certname: string;
  readonly isCurrent: boolean;
  /** The commit that it serves; absent when it does not serve this environment. */
  readonly commit: string | undefined;
}

/** By the names of the servers. */
export function serversOf(
  { environment, 'environment-commit': wanted }: Deployed,
  clients: Readonly<Record<string, { readonly deployed: readonly Deployed[] }>>,
): readonly ServingServer[] {
  return Object.entries(clients)
    .map(([certname, { deployed }]) => {
      const commit = deployed.find((each) => each.environment === environment)?.['environment-commit'];
      return { certname, commit, isCurrent: commit === wanted };
    })
    .toSorted((a, b) => (a.certname < b.certname ? -1 : 1));
}

/** `all 3 servers`, `2 of 3 servers`. */
export function convergenceText(servers: readonly ServingServer[]): string {
  const current = servers.filter(({ isCurrent }) => isCurrent).length;
  const noun = servers.length === 1 ? 'server' : 'servers';
  if (servers.length === 0) return 'no server yet';
  return current === servers.length
    ? servers.length === 1
      ? '1 server'
      : `all ${servers.length} ${noun}`
    : `${current} of ${servers.length} ${noun}`;
}
