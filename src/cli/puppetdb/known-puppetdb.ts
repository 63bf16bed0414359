/** The PuppetDB that commands ask which compile on this machine. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import { silentLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import {
  externalPuppetDb,
  primaryPuppetDb,
  type UsedPuppetDb,
} from '../../server/node-data/used-puppetdb.ts';
import { UsageError } from '../command.ts';
import type { GivenFacts } from '../language/facts-file.ts';
import { localAddresses, primaryUrl } from '../primary-connection.ts';

/**
 * Lets work ask the PuppetDB of this installation: the one that `puppetdb.conf` names, or the primary's.
 *
 * @param work - gets `undefined` where this machine is no server of an installation
 * @throws UsageError when `puppetdb.conf` is wrong
 */
export async function withKnownPuppetDb<T>(
  settings: Settings,
  work: (puppetDb: UsedPuppetDb | undefined) => Promise<T>,
): Promise<T> {
  const known = inWords(() => externalPuppetDb(settings, silentLogger)) ?? ofInstallation(settings);
  try {
    return await work(known);
  } finally {
    known?.close();
  }
}

function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}

function ofInstallation(settings: Settings): UsedPuppetDb | undefined {
  const isServer = settings.primary !== '' || existsSync(join(settings.caDir, 'ca_crt.pem'));
  if (!isServer || !existsSync(settings.hostCert)) return undefined;
  return primaryPuppetDb(settings, primaryUrl(settings), silentLogger, localAddresses(settings));
}

/**
 * The facts of a node as it sent them last.
 *
 * @returns `undefined` when none are known
 * @throws UsageError when PuppetDB does not answer
 */
export async function findKnownFacts(
  puppetDb: UsedPuppetDb | undefined,
  certname: string,
): Promise<GivenFacts | undefined> {
  try {
    const found = await puppetDb?.findFacts(certname, new AbortController().signal);
    return found && { values: found.values, text: found.exactValues ?? JSON.stringify(found.values) };
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}
