/** `GET /deploys/status`: what is under way, what is stored, what each server serves. */

import type { CodeStatus, DeployedEnvironment } from '../answers/wire.ts';
import type { Deploy, DeployStatus } from '../deploy/deploy.ts';
import { signatureIn } from '../deploy/deploy-signature.ts';
import type { CodeStorage, ServingServer } from '../termini.ts';
import { encodeFailure } from './wire.ts';

export function statusDocument(deploys: readonly Deploy[], storage: CodeStorage): CodeStatus {
  const servers = storage.servers();
  const current = storage.current();
  const synced = servers.map((server) => isSynced(server, current));
  return {
    'deploys-status': {
      new: withStatus(deploys, 'new'),
      queued: withStatus(deploys, 'queued'),
      deploying: withStatus(deploys, 'deploying'),
      failed: deploys.flatMap(({ environment, error, queuedAt }) =>
        error === undefined
          ? []
          : [{ environment, error: encodeFailure(error), 'queued-at': queuedAt.toISOString() }],
      ),
    },
    'file-sync-storage-status': { deployed: deployedList(storage, current) },
    'file-sync-client-status': {
      'all-synced': synced.every(Boolean),
      'file-sync-clients': Object.fromEntries(
        servers.map((server, index) => [
          server.certname,
          {
            last_check_in_time: server.lastCheckIn?.toISOString() ?? null,
            'synced-with-file-sync-storage': synced[index] === true,
            deployed: deployedList(storage, server.serving),
          },
        ]),
      ),
    },
  };
}

function withStatus(deploys: readonly Deploy[], wanted: DeployStatus): CodeStatus['deploys-status']['new'] {
  return deploys
    .filter(({ status }) => status === wanted)
    .map(({ environment, queuedAt }) => ({ environment, 'queued-at': queuedAt.toISOString() }));
}

function isSynced({ serving }: ServingServer, current: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(serving), ...Object.keys(current)]);
  return [...names].every((name) => serving[name] === current[name]);
}

/** What was committed by hand has no commit of a control repository: its own stands for it. */
function deployedList(
  storage: CodeStorage,
  commits: Readonly<Record<string, string>>,
): readonly DeployedEnvironment[] {
  return Object.entries(commits)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([environment, commit]) => {
      const stored = storage.find(environment, commit);
      return {
        environment,
        date: stored?.date.toISOString() ?? null,
        // Ours: what servers are compared by.
        'environment-commit': commit,
        'deploy-signature': (stored === undefined ? undefined : signatureIn(stored.message)) ?? commit,
      };
    });
}
