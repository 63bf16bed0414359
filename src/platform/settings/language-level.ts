/**
 * The language level of an installation: which major release of Puppet its environments are compiled as, unless their
 * `environment.conf` says so. What a level means is the language's business.
 */

import { join } from 'node:path';
import { InvalidValue, type SettingType } from './setting.ts';
import { hasRunBefore, readIfAllowed } from './started-with.ts';

const levels = [7, 8, 9] as const;

export type InstallationLevel = (typeof levels)[number];

/** What a new installation compiles as. */
const newest: InstallationLevel = 8;
/** What installations compile as that ran before there were levels. */
const oldest: InstallationLevel = 7;

/** A number, or `undefined` for `auto`. */
export const languageLevelType: SettingType<InstallationLevel | undefined> = {
  name: 'one of auto, 7, 8, 9',
  parse: (text, name) => {
    if (text === 'auto') return undefined;
    const found = levelIn(text);
    if (found !== undefined) return found;
    throw new InvalidValue(
      `Invalid value '${text}' for parameter ${name}. Allowed values are 'auto', '7', '8', '9'`,
    );
  },
};

/** Where a server notes the level that it runs with: an update of the program must not change catalogs. */
export function levelFile(stateDirectory: string): string {
  return join(stateDirectory, 'language-level');
}

/** @returns the level of an installation whose settings say nothing, from what its servers have left in its directory */
export function levelOfInstallation(
  stateDirectory: string,
  readFile: (path: string) => string | undefined,
): InstallationLevel {
  const noted = levelIn(readIfAllowed(levelFile(stateDirectory), readFile)?.trim() ?? '');
  if (noted !== undefined) return noted;
  return hasRunBefore(stateDirectory, readFile) ? oldest : newest;
}

function levelIn(text: string): InstallationLevel | undefined {
  return levels.find((level) => String(level) === text);
}
