/** Parts that several roles have. */

import type { RootLogger } from '../../platform/log/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { lockDirectory, type Migration } from '../../platform/storage/index.ts';
import { StatusRegistry } from '../../services/status/index.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { OpenPorts } from '../ports/open-ports.ts';
import type { Part } from './role.ts';

interface Given {
  readonly settings: Settings;
  readonly log: RootLogger;
}

/** Keeps a second server out of the directory. */
export function lockPart({ settings }: Given): Part<undefined> {
  const lock = lockDirectory(settings.stateDir);
  return { value: undefined, stop: () => lock.release() };
}

export async function foundationPart(
  { log, settings }: Given,
  migrations: readonly Migration[],
  options: { readonly hasReaderThread: boolean },
): Promise<Part<Foundation>> {
  const foundation = await layFoundation(settings, log, migrations, options);
  return {
    value: foundation,
    async stop() {
      await foundation.disks.stop();
      await foundation.database.close();
      foundation.processes.close();
    },
  };
}

/** Where parts say how they are. */
export function statusPart({ log }: Given): Part<StatusRegistry> {
  return { value: new StatusRegistry(log.child({ service: 'status' })) };
}

/** Where ports say that they listen. */
export function portsPart(): Part<OpenPorts> {
  return { value: new OpenPorts() };
}
