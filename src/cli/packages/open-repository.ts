/** The packages of this primary, as the settings have them. */

import type { Settings } from '../../platform/settings/index.ts';
import { gpgSigner, PackageRepository } from '../../services/packages/index.ts';

export function openRepository({
  packagesDir,
  packagesSigningKey: key,
}: Pick<Settings, 'packagesDir' | 'packagesSigningKey'>): PackageRepository {
  return new PackageRepository(packagesDir, () => new Date(), key === '' ? undefined : gpgSigner(key));
}
