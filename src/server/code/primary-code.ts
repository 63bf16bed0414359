/** The code as the primary has it: every server gets it from the storage here, the primary itself, too. */

import { dirname, join } from 'node:path';
import { workingDirectory } from '../../services/code-manager/index.ts';
import {
  FileSyncStorage,
  fileSyncRoutes,
  localSource,
  storageStatus,
} from '../../services/filesync/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { ServedPart } from '../served-part.ts';
import type { Code } from './code.ts';
import { environmentPlaces } from './environment-places.ts';
import { stageFirstEnvironment } from './first-environment.ts';
import { followCode } from './followed-code.ts';

export interface PrimaryCode extends ServedPart {
  readonly storage: FileSyncStorage;
  /** What agents would have to wait for; `undefined` when what is committed is live. */
  readonly obstacle: string | undefined;
  /** What was live before is live again, whatever state the storage is in. */
  restore(): Promise<void>;
  /** Goes live with what is committed. Resolves when that is done, or has taken long enough. */
  follow(): Promise<void>;
  stop(): Promise<void>;
}

/** How long the first start with very much code may take before agents are let in all the same. */
const patienceMs = 10 * 60 * 1000;

export async function openPrimaryCode(foundation: Foundation, code: Code): Promise<PrimaryCode> {
  const { settings } = foundation;
  const storage = await openStorage(foundation, code);
  const followed = followCode(foundation, code, localSource(storage, settings.certname));
  const { client } = followed;
  let isSynchronised = false;
  return {
    storage,
    routes: [...fileSyncRoutes(storage, Date.now), ...followed.routes],
    register(status) {
      status.register(storageStatus(storage, announcedVersion(settings), Date.now));
      followed.register?.(status);
    },
    get obstacle() {
      return isSynchronised ? undefined : 'code';
    },
    restore: () => client.restore(),
    async follow() {
      client.start();
      // What is committed lies here already: it is only a question of time.
      await client.firstAttempt(patienceMs);
      isSynchronised = true;
    },
    async stop() {
      storage.releaseWaiting();
      // In the same turn: from now on the storage answers the client at once, which would ask again and let nothing else run.
      await client.stop();
    },
  };
}

function openStorage({ git, log, settings }: Foundation, code: Code): Promise<FileSyncStorage> {
  const environmentDirectories = environmentPlaces(settings).map(({ staged }) => staged);
  const directory = join(settings.stateDir, 'filesync', 'storage');
  stageFirstEnvironment(settings, directory, log.child({ service: 'file-sync' }));
  return FileSyncStorage.open({
    git,
    directory,
    stagingDirectory: settings.codeStagingDir,
    log: log.child({ service: 'file-sync' }),
    environmentDirectories,
    unserved: environmentDirectories.map((directory) => join(dirname(directory), workingDirectory)),
    now: Date.now,
    findCheckedOut: (environment, commit) => code.checkedOut(environment, commit),
  });
}
