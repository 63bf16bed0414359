/** Agent packages and install scripts: the primary's own, and what compile servers have of them. */

import { join } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import {
  LocalPackages,
  MirroredPackages,
  type PackageSource,
  packageRoutes,
  readCaCertificates,
} from '../../services/packages/index.ts';
import type { ServedPart } from '../served-part.ts';

export function localPackages(settings: Settings, caFile: string): ServedPart {
  return served(settings, caFile, new LocalPackages(settings.packagesDir));
}

export function mirroredPackages(
  settings: Settings,
  caFile: string,
  primary: Omit<ConstructorParameters<typeof MirroredPackages>[0], 'directory'>,
): ServedPart {
  const directory = join(settings.stateDir, 'packages');
  return served(settings, caFile, new MirroredPackages({ ...primary, directory }));
}

function served(settings: Settings, caFile: string, source: PackageSource): ServedPart {
  const { host, port } = agentsAddress(settings);
  const target = async () => ({ server: host, port, caCertificates: await readCaCertificates(caFile) });
  return { routes: packageRoutes({ source, target }) };
}

/** Where newly installed agents find their servers. */
export function agentsAddress(settings: Settings): { readonly host: string; readonly port: number } {
  const { certname, compileMasterPoolAddress, serverPort } = settings;
  const own = serverPort === 0 ? 8140 : serverPort;
  if (compileMasterPoolAddress === '') return { host: certname, port: own };
  const [, host = compileMasterPoolAddress, port] = /^(.+):(\d+)$/.exec(compileMasterPoolAddress) ?? [];
  return { host, port: port === undefined ? 8140 : Number(port) };
}
