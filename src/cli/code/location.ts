/** Which code a command compiles. */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Settings } from '../../platform/settings/index.ts';
import { UsageError } from '../command.ts';

export interface CodeLocation {
  readonly directory: string;
  readonly environment: string;
}

/**
 * @param code - the environment's directory; below the setting `environmentpath` when absent
 * @param environment - its name; when absent that of the directory, if it can be one
 * @throws UsageError when there is no such directory
 */
export function locateCode(
  code: string | undefined,
  environment: string | undefined,
  settings: Settings,
): CodeLocation {
  const directory = code ?? environmentDirectory(environment ?? settings.environment, settings);
  if (!existsSync(directory)) throw new UsageError(`there is no environment at ${directory}`);
  return { directory, environment: environment ?? nameOf(directory) };
}

/** Where an environment is: the first directory of the setting `environmentpath` that has it. */
export function environmentDirectory(environment: string, { environmentPath }: Settings): string {
  const candidates = environmentPath.map((directory) => join(directory, environment));
  return candidates.find((directory) => existsSync(directory)) ?? candidates[0] ?? environment;
}

/** A checkout's directory is rarely called as its environment is; then it stands for production. */
function nameOf(directory: string): string {
  const name = basename(resolve(directory));
  return /^\w+$/.test(name) ? name : 'production';
}
