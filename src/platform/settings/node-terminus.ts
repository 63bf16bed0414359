/** The default of `node_terminus`. It depends on the installation, because an update must not change catalogs. */

import { join } from 'node:path';
import { hasRunBefore, readIfAllowed } from './started-with.ts';

const defaults = ['classifier', 'plain'] as const;

/** The file in which a server notes its `node_terminus`. */
export function nodeTerminusFile(stateDirectory: string): string {
  return join(stateDirectory, 'node-terminus');
}

/** Whether a server notes it: an installation with 'exec' always has the setting. */
export function isNoted(nodeTerminus: string): boolean {
  return defaults.some((name) => name === nodeTerminus);
}

/** @returns the default of an installation, from what its servers have left in its directory */
export function nodeTerminusOfInstallation(
  stateDirectory: string,
  readFile: (path: string) => string | undefined,
): string {
  const noted = readIfAllowed(nodeTerminusFile(stateDirectory), readFile)?.trim() ?? '';
  if (isNoted(noted)) return noted;
  return hasRunBefore(stateDirectory, readFile) ? 'plain' : 'classifier';
}
