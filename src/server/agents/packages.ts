/** Agent packages and install scripts: the primary's own, and what compile servers have of them. */

import { join } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import type { InfrastructureValues } from '../../services/classifier/index.ts';
import { findSharedSettings } from '../../services/infrastructure/index.ts';
import {
  installationRoute,
  LocalPackages,
  MirroredPackages,
  type MirrorOptions,
  type PackageSource,
  packageRoutes,
  readCaCertificates,
} from '../../services/packages/index.ts';
import type { PrimaryLink } from '../infrastructure/primary-link.ts';
import { pcpBrokerPort } from '../ports/port-numbers.ts';
import type { ServedPart } from '../served-part.ts';
import { pxpAgentDirectory } from '../worker-files.ts';

/** @param values - what groups say of the server */
export function localPackages(
  settings: Settings,
  caFile: string,
  values: InfrastructureValues | undefined,
): ServedPart {
  const pool = () => Promise.resolve(serverOfAgents(values) || settings.compileMasterPoolAddress);
  const addresses = { ...settings, pool };
  const { routes } = served(addresses, caFile, new LocalPackages(settings.packagesDir));
  return { routes: [...(routes ?? []), installationRoute(targetOf(addresses, caFile))] };
}

export function mirroredPackages(
  settings: Settings,
  caFile: string,
  primary: Omit<MirrorOptions, 'directory'>,
  values: InfrastructureValues,
): ServedPart {
  const directory = join(settings.stateDir, 'packages');
  const shared = poolOf(settings, primary);
  return served(
    { ...settings, pool: async () => serverOfAgents(values) || (await shared()) },
    caFile,
    new MirroredPackages({ ...primary, directory }),
  );
}

/** What groups say of the server that scripts name: those of the server that serves the script decide. */
function serverOfAgents(values: InfrastructureValues | undefined): string {
  const of = (parameter: string) => values?.text('pe_repo', parameter) ?? '';
  return of('master') || of('compile_master_pool_address');
}

/** The balancer that the settings name, or else the primary's; what it said last while it is away. */
function poolOf(
  { compileMasterPoolAddress: own }: Settings,
  { client, primaryUrl }: Pick<PrimaryLink, 'client' | 'primaryUrl'>,
): () => Promise<string> {
  let known = '';
  return async () => {
    if (own !== '') return own;
    try {
      known = (await findSharedSettings(client, primaryUrl))['compile_master_pool_address'] ?? '';
    } catch {
      // The log says elsewhere that the primary is away.
    }
    return known;
  };
}

function served(addresses: AgentAddresses, caFile: string, source: PackageSource): ServedPart {
  const target = targetOf(addresses, caFile);
  return { routes: packageRoutes({ source, target, pxpAgent: pxpAgentDirectory() }) };
}

type AgentAddresses = AgentsSettings & BrokerSettings & { readonly pool: () => Promise<string> };

/** What scripts and lines name, as it is when they are asked for. */
function targetOf({ pool, ...settings }: AgentAddresses, caFile: string) {
  return async () => {
    const compileMasterPoolAddress = await pool();
    const { host, port } = agentsAddress({ ...settings, compileMasterPoolAddress });
    const caCertificates = await readCaCertificates(caFile);
    return { server: host, port, caCertificates, brokerPort: pcpBrokerPort(settings) || undefined };
  };
}

type BrokerSettings = Pick<Settings, 'pcpBrokerPort' | 'serverPort'>;

type AgentsSettings = Pick<Settings, 'certname' | 'serverPort'>;

/** Where newly installed agents find their servers. */
export function agentsAddress(settings: AgentsSettings & Pick<Settings, 'compileMasterPoolAddress'>): {
  readonly host: string;
  readonly port: number;
} {
  const { certname, compileMasterPoolAddress, serverPort } = settings;
  const own = serverPort === 0 ? 8140 : serverPort;
  if (compileMasterPoolAddress === '') return { host: certname, port: own };
  const [, host = compileMasterPoolAddress, port] = /^(.+):(\d+)$/.exec(compileMasterPoolAddress) ?? [];
  return { host, port: port === undefined ? 8140 : Number(port) };
}
