/** File sync as the code manager wants it: one environment at a time, and the way back. */

import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CodeStorage,
  type ServingServer,
  type StoredCommit,
  workingDirectory,
} from '../../services/code-manager/index.ts';
import type { CodeVersions, FileSyncStorage } from '../../services/filesync/index.ts';

export interface CodeStorageOptions {
  readonly storage: FileSyncStorage;
  /** What this server serves. */
  readonly versions: CodeVersions;
  readonly stagingDirectory: string;
}

const author = { name: 'Code manager', email: '' };

export function codeStorage(options: CodeStorageOptions): CodeStorage {
  const { storage } = options;
  return {
    announce: (environment) => storage.announce(environment),
    hold: (environment) => storage.hold(environment),
    release: (environment) => storage.release(environment),
    async commit(environment, message) {
      const commits = await storage.commitEnvironment(environment, { message, author });
      return commits[environment] ?? '';
    },
    async remove(environment) {
      await storage.forget(environment);
    },
    async activate(environment, commit) {
      await storage.activate(environment, commit);
    },
    restoreStaging: (environment) => restoreStaging(environment, options),
    history: (environment) => storage.history(environment).map(asStored),
    find(environment, commit) {
      const found = storage.history(environment).find(({ id }) => id === commit);
      return found === undefined ? undefined : asStored(found);
    },
    current: () => storage.latestCommits(),
    servers: () => storage.clients().map(asServer),
    waitUntilServed: (environment, commit, timeoutMs, signal) =>
      waitUntilServed(environment, commit, timeoutMs, { ...options, signal }),
  };
}

function asStored(commit: ReturnType<FileSyncStorage['history']>[number]): StoredCommit {
  return { id: commit.id, message: commit.message, date: new Date(commit.dateMs) };
}

function asServer(client: ReturnType<FileSyncStorage['clients']>[number]): ServingServer {
  return {
    certname: client.certname,
    lastCheckIn: new Date(client.lastCheckInMs),
    serving: client.serving,
  };
}

async function waitUntilServed(
  environment: string,
  commit: string,
  timeoutMs: number,
  { signal, storage }: CodeStorageOptions & { readonly signal: AbortSignal },
): Promise<boolean> {
  // A later commit of the environment replaces this one, which will not be served any more.
  const isLatest = () => storage.latestCommits()[environment] === commit;
  return storage.untilServed(
    ({ serving }) => serving[environment] === commit || !isLatest(),
    timeoutMs,
    signal,
  );
}

/** Copies what is served over what is staged. */
async function restoreStaging(
  environment: string,
  { stagingDirectory, versions }: CodeStorageOptions,
): Promise<void> {
  const version = versions.current(environment);
  if (version === undefined) return;
  const release = versions.hold(version);
  const staged = join(stagingDirectory, version.place);
  const copy = join(stagingDirectory, workingDirectory, `restored-${environment}`);
  try {
    await rm(copy, { recursive: true, force: true });
    await mkdir(dirname(copy), { recursive: true });
    await cp(version.directory, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(staged, { recursive: true, force: true });
    await rename(copy, staged);
  } finally {
    release();
  }
}
