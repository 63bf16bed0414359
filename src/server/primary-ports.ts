/** Which ports `auto` means: those that clients know, where the primary itself is on the one that agents know. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../platform/settings/index.ts';

/** Several servers on one host have other ports: each would take the same. */
const knownServerPort = 8140;

/** @returns 0 for none */
export function puppetDbPort({
  confDir,
  puppetDbPort: port,
  serverPort,
}: Pick<Settings, 'confDir' | 'puppetDbPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort && !existsSync(join(confDir, 'puppetdb.conf')) ? 8081 : 0;
}

/** @returns 0 for none */
export function consoleServicesPort({
  consoleServicesPort: port,
  serverPort,
}: Pick<Settings, 'consoleServicesPort' | 'serverPort'>): number {
  if (port !== 'auto') return port;
  return serverPort === knownServerPort ? 4433 : 0;
}
