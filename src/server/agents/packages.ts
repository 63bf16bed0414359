/** Agent packages and install scripts: the primary's own, and what compile servers have of them. */

import { join } from 'node:path';
import type { Route } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  LocalPackages,
  MirroredPackages,
  type PackageSource,
  packageRoutes,
  readCaCertificates,
} from '../../services/packages/index.ts';

export function localPackages(settings: Settings, caFile: string): readonly Route[] {
  return routesOf(settings, caFile, new LocalPackages(settings.packagesDir));
}

export function mirroredPackages(
  settings: Settings,
  caFile: string,
  primary: Omit<ConstructorParameters<typeof MirroredPackages>[0], 'directory'>,
): readonly Route[] {
  const directory = join(settings.stateDir, 'packages');
  return routesOf(settings, caFile, new MirroredPackages({ ...primary, directory }));
}

function routesOf(settings: Settings, caFile: string, source: PackageSource): readonly Route[] {
  const { host, port } = agentsAddress(settings);
  return packageRoutes({
    source,
    target: async () => ({ server: host, port, caCertificates: await readCaCertificates(caFile) }),
  });
}

/** Where newly installed agents find their servers. */
export function agentsAddress(settings: Settings): { readonly host: string; readonly port: number } {
  const { certname, compileMasterPoolAddress, serverPort } = settings;
  const own = serverPort === 0 ? 8140 : serverPort;
  if (compileMasterPoolAddress === '') return { host: certname, port: own };
  const [, host = compileMasterPoolAddress, port] = /^(.+):(\d+)$/.exec(compileMasterPoolAddress) ?? [];
  return { host, port: port === undefined ? 8140 : Number(port) };
}
