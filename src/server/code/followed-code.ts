/** The code that a server serves: file sync brings it from a source, which differs between the roles. */

import { join } from 'node:path';
import {
  type CommitSource,
  clientStatus,
  FileSyncClient,
  forceSyncRoute,
} from '../../services/filesync/index.ts';
import { announcedVersion } from '../compiler/language-settings.ts';
import type { Foundation } from '../foundation.ts';
import type { ServedPart } from '../served-part.ts';
import type { Code } from './code.ts';
import { environmentPlaces } from './environment-places.ts';

export interface FollowedCode extends ServedPart {
  readonly client: FileSyncClient;
}

export function followCode(foundation: Foundation, code: Code, source: CommitSource): FollowedCode {
  const client = createClient(foundation, code, source);
  code.attach(client);
  return {
    client,
    routes: [forceSyncRoute(client, code.versions, Date.now)],
    register: (status) =>
      status.register(clientStatus(client, code.versions, announcedVersion(foundation.settings), Date.now)),
  };
}

function createClient({ git, log, settings }: Foundation, code: Code, source: CommitSource): FileSyncClient {
  const places = environmentPlaces(settings);
  return new FileSyncClient({
    source,
    versions: code.versions,
    git,
    directory: join(settings.stateDir, 'filesync', 'client'),
    now: Date.now,
    log: log.child({ service: 'file-sync' }),
    pollIntervalMs: settings.pollIntervalSeconds * 1000,
    warm: code.warm,
    linkPath: ({ environment, place }) =>
      join(
        places.find(({ staged }) => `${staged}/${environment}` === place)?.logical ??
          join(settings.codeDir, 'environments'),
        environment,
      ),
    onPruned: code.prune,
  });
}
