/** The two places that commits come from: this process's own storage, or the primary's over the network. */

import { join } from 'node:path';
import { ServiceError } from '../../lib/service-error.ts';
import type { Git } from '../../platform/git/index.ts';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { type GitRemote, Repository } from './repository.ts';
import type { Commits, FileSyncStorage } from './storage.ts';
import type { CommitSource } from './termini.ts';
import { CommitsAnswerWire } from './wire.ts';

/** The primary's own client: nothing to transport. */
export function localSource(storage: FileSyncStorage): CommitSource {
  return {
    async latestCommits(_serving, known, waitMs, signal) {
      return waitForCommits(storage, known, waitMs, signal);
    },
    repositoryWith: (environment) => Promise.resolve(storage.repository(environment)),
  };
}

/** Waits until the storage's commits differ from what the asker knows; gives up when time is up. */
export async function waitForCommits(
  storage: FileSyncStorage,
  known: Commits,
  waitMs: number,
  signal: AbortSignal,
): Promise<Commits> {
  const deadline = performance.now() + waitMs;
  while (!signal.aborted && !storage.releasesWaiting && areEqual(storage.latestCommits(), known)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) break;
    await storage.changed(leftMs, signal);
  }
  return storage.latestCommits();
}

export interface RemoteSourceOptions {
  /** `https://primary.example.com:8140` */
  readonly primaryUrl: string;
  readonly client: HttpClient;
  readonly git: Git;
  /** Where the copies of the repositories lie. */
  readonly directory: string;
  readonly tls: Omit<GitRemote, 'url'>;
}

export function remoteSource(options: RemoteSourceOptions): CommitSource {
  const repositories = new Map<string, Repository>();

  return {
    async latestCommits(serving, known, waitMs, signal) {
      const answer = await options.client.send({
        method: 'POST',
        url: `${options.primaryUrl}/file-sync/v1/latest-commits`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ serving, known, wait_ms: waitMs }),
        signal,
        timeoutMs: waitMs + 15_000,
      });
      if (answer.status !== 200)
        throw new ServiceError(
          'bad-gateway',
          `Unable to get latest-commits from server (${options.primaryUrl}): status ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`,
        );
      return CommitsAnswerWire.parse(JSON.parse(answer.body.toString('utf8'))).commits;
    },

    async repositoryWith(environment, commit, signal) {
      const repository =
        repositories.get(environment) ??
        new Repository(options.git, join(options.directory, `${environment}.git`));
      repositories.set(environment, repository);
      if (await repository.has(commit)) return repository;
      const url = `${options.primaryUrl}/file-sync/v1/repositories/${environment}.git`;
      await repository.fetch({ url, ...options.tls }, signal);
      return repository;
    },
  };
}

function areEqual(a: Commits, b: Commits): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
