/** How browsers reach the console. */

import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import type { Settings } from '../../platform/settings/index.ts';

export function consoleUrl({
  certname,
  consolePort: port,
  consoleUrl: wanted,
}: Pick<Settings, 'certname' | 'consolePort' | 'consoleUrl'>): string {
  if (wanted !== '') return withoutTrailingSlashes(wanted);
  return port === 'auto' || port === 443 ? `https://${certname}` : `https://${certname}:${port}`;
}
