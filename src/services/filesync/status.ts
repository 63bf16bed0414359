/**
 * The services `file-sync-storage-service` and `file-sync-client-service` of `/status/v1`, with the fields that tools for
 * Puppet Enterprise read: the latest commit of the code and of each environment, what each client has, when it was heard.
 *
 * Submodules are named after their environments, as tools that compare them expect.
 */

import { createHash } from 'node:crypto';
import type { FileSyncClient } from './client.ts';
import type { CodeVersions } from './code-versions.ts';
import type { RecordedCommit } from './environment-records.ts';
import type { ClientState } from './followers.ts';
import type { FileSyncStorage } from './storage.ts';
import type { Commits } from './termini.ts';

/** What the status service asks for. */
interface StatusProvider {
  readonly names: readonly string[];
  readonly version: string;
  readonly read: (level: 'critical' | 'info' | 'debug') => {
    readonly state: 'running' | 'error' | 'starting';
    readonly status?: unknown;
  };
}

/** One commit, as far as it is shown. */
type ShownCommit = Pick<RecordedCommit, 'id' | 'dateMs' | 'message' | 'author'>;

/** The one repository: what is staged as a whole. */
export const repositoryId = 'puppet-code';

export function storageStatus(storage: FileSyncStorage, version: string, now: () => number): StatusProvider {
  return {
    names: ['file-sync-storage-service'],
    version,
    read: (level) => {
      if (level === 'critical') return { state: 'running' };
      const status = {
        timestamp: timeOf(now()),
        repos: { [repositoryId]: renderRepository(currentCommits(storage)) },
        clients: Object.fromEntries(
          storage.clients().map((client) => [client.certname, renderClient(storage, client)]),
        ),
      };
      return { state: 'running', status };
    },
  };
}

export function clientStatus(
  client: FileSyncClient,
  versions: CodeVersions,
  version: string,
  now: () => number,
): StatusProvider {
  return {
    names: ['file-sync-client-service'],
    version,
    read: (level) =>
      level === 'critical'
        ? { state: 'running' }
        : { state: 'running', status: renderClientStatus(client, versions, now) },
  };
}

/** Also what `POST /file-sync/v1/force-sync` answers. */
export function renderClientStatus(client: FileSyncClient, versions: CodeVersions, now: () => number) {
  const { failures, lastCheckInMs, lastSuccessMs, unreachable } = client.status;
  const live = versions.environments().flatMap((name) => {
    const version = versions.current(name);
    return version === undefined ? [] : [[name, { ...version, id: version.commit }] as const];
  });
  const repository = renderRepository(live);
  const failed = failures.map(({ environment, message }) => [
    environment,
    { status: 'error', cause: { type: 'puppetlabs.enterprise.file-sync-common/sync-error', message } },
  ]);
  return {
    timestamp: timeOf(now()),
    repos: {
      [repositoryId]: {
        ...repository,
        submodules: { ...repository.submodules, ...Object.fromEntries(failed) },
      },
    },
    ...(lastCheckInMs === undefined ? {} : { last_check_in_time: timeOf(lastCheckInMs) }),
    ...(lastSuccessMs === undefined ? {} : { last_successful_sync_time: timeOf(lastSuccessMs) }),
    ...(unreachable === undefined
      ? {}
      : { storage_service: { status: 'error', cause: { message: unreachable } } }),
  };
}

/** A name for all environments' commits together: the same on every server that has the same. */
export function commitOfAll(commits: Commits): string {
  const lines = Object.keys(commits)
    .sort()
    .map((name) => `${name} ${commits[name]}\n`);
  return createHash('sha1').update(lines.join('')).digest('hex');
}

function currentCommits(storage: FileSyncStorage): readonly (readonly [string, ShownCommit])[] {
  return Object.keys(storage.latestCommits()).flatMap((name) => {
    const current = storage.record(name)?.current;
    return current === undefined ? [] : [[name, current] as const];
  });
}

function renderRepository(environments: readonly (readonly [string, ShownCommit])[]) {
  const latest = environments.map(([, commit]) => commit).toSorted((a, b) => b.dateMs - a.dateMs)[0];
  const id = commitOfAll(Object.fromEntries(environments.map(([name, commit]) => [name, commit.id])));
  return {
    status: 'ok',
    latest_commit: latest === undefined ? null : renderCommit({ ...latest, id }),
    submodules: Object.fromEntries(
      environments.map(([name, commit]) => [name, { status: 'ok', latest_commit: renderCommit(commit) }]),
    ),
  };
}

function renderCommit({ author, dateMs, id, message }: ShownCommit) {
  const identity = { name: author.name, email: author.email };
  return { commit: id, date: timeOf(dateMs), message, author: identity, identity };
}

function renderClient(storage: FileSyncStorage, client: ClientState) {
  const serving = Object.entries(client.serving).map(([name, id]) => {
    const commit = storage.record(name)?.commits.find((known) => known.id === id);
    return [
      name,
      { status: 'ok', latest_commit: commit === undefined ? { commit: id } : renderCommit(commit) },
    ];
  });
  const failed = client.failures.map(({ commit, environment, message }) => [
    environment,
    { status: 'error', cause: { message, commit } },
  ]);
  return {
    last_check_in_time: timeOf(client.lastCheckInMs),
    is_current: storage.isCurrent(client),
    repos: {
      [repositoryId]: {
        status: storage.isCurrent(client) ? 'ok' : client.failures.length > 0 ? 'error' : 'new-commits',
        latest_commit: { commit: commitOfAll(client.serving) },
        submodules: Object.fromEntries([...serving, ...failed]),
      },
    },
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
