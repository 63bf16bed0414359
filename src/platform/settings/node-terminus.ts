/** What classifies nodes where no setting says it. An update of the program must not change catalogs. */

import { join } from 'node:path';
import { hasRunBefore, readIfAllowed } from './started-with.ts';

const defaults = ['classifier', 'plain'] as const;

/** Where a server notes what classified its nodes. */
export function nodeTerminusFile(stateDirectory: string): string {
  return join(stateDirectory, 'node-terminus');
}

/** Whether it would be gone on with where the setting is taken away: programs of a site need settings of their own. */
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
