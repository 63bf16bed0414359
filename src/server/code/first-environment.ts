/** An empty `production`, as Puppet's packages bring one: agents of a new installation get an empty catalog, no error. */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { environmentPlaces } from './environment-places.ts';

type Places = Pick<Settings, 'codeDir' | 'codeStagingDir' | 'environmentPath'>;

/**
 * Stages an empty `production` at the first start, unless an environment is staged already.
 *
 * @param storageDirectory - exists from the first start on
 */
export function stageFirstEnvironment(settings: Places, storageDirectory: string, log: Logger): void {
  if (existsSync(storageDirectory)) return;
  const directories = environmentPlaces(settings).map(({ staged }) => join(settings.codeStagingDir, staged));
  const [first] = directories;
  if (first === undefined || directories.some(hasEntries)) return;
  try {
    mkdirSync(join(first, 'production'), { recursive: true });
  } catch (err) {
    log.warn({ err, directory: first }, 'could not stage an empty production environment');
  }
}

function hasEntries(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).length > 0;
}
