/** Sources of settings that this process has: its environment, its files, its host's name. */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Flags } from './flags.ts';
import type { SettingsSources } from './load-settings.ts';
import { qualifiedName } from './qualified-name.ts';

/** The environment of the process: the only place that reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** @param flags - of the command line */
export function processSources(
  flags: Pick<Flags, 'values'>,
  environment: Readonly<Record<string, string | undefined>> = processEnvironment(),
): SettingsSources {
  return {
    flags: flags.values,
    environment,
    hostname: qualifiedName(hostname().toLowerCase(), readIfPresent),
    readFile: readIfPresent,
  };
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
