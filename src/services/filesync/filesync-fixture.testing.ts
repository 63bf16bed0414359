/** A storage and clients that follow it, in a temporary directory. For tests. */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Git } from '../../platform/git/index.ts';
import { type Logger, silentLogger } from '../../platform/log/index.ts';
import { type ClientOptions, FileSyncClient } from './client.ts';
import { CodeVersions } from './code-versions.ts';
import { localSource } from './sources.ts';
import { FileSyncStorage, type StorageOptions } from './storage.ts';
import type { CommitSource } from './termini.ts';

export const deploy = { message: 'deploy', author: { name: 'tester', email: 'tester@example.com' } };

export interface Follower {
  readonly client: FileSyncClient;
  readonly versions: CodeVersions;
  readonly directory: string;
}

type FollowOptions = Partial<Pick<ClientOptions, 'warm' | 'onPruned' | 'linkPath' | 'versions'>>;

export class FileSyncFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'filesync-'));
  readonly git: Git;
  private readonly log: Logger;
  private readonly clients: FileSyncClient[] = [];
  private readonly storages: FileSyncStorage[] = [];

  constructor(path: string | undefined, log: Logger = silentLogger) {
    this.git = new Git({ PATH: path });
    this.log = log;
  }

  get staging(): string {
    return join(this.root, 'staging');
  }

  stage(name: string, content: string | Buffer): void {
    const file = join(this.staging, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  async openStorage(options: Partial<StorageOptions> = {}): Promise<FileSyncStorage> {
    const storage = await FileSyncStorage.open({
      git: this.git,
      directory: join(this.root, 'storage'),
      stagingDirectory: this.staging,
      log: this.log,
      now: Date.now,
      ...options,
    });
    this.storages.push(storage);
    return storage;
  }

  /** The primary's own client. */
  local(storage: FileSyncStorage, name = 'local'): Follower {
    return this.follow(localSource(storage, 'primary.example.com'), name);
  }

  /** A client with a repository of its own, as on another server. */
  remote(storage: FileSyncStorage, name = 'remote'): Follower {
    return this.follow(remoteLike(storage, name), name);
  }

  follow(
    source: CommitSource,
    name: string,
    { versions = new CodeVersions(), ...options }: FollowOptions = {},
  ): Follower {
    const directory = join(this.root, name);
    const { git, log } = this;
    const client = new FileSyncClient({
      source,
      versions,
      git,
      directory,
      log,
      pollIntervalMs: 20,
      now: Date.now,
      ...options,
    });
    this.clients.push(client);
    return { client, versions, directory };
  }

  async remove(): Promise<void> {
    for (const client of this.clients) await client.stop();
    // What they do behind commits writes into the directory.
    for (const storage of this.storages) await storage.idle();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** As `remoteSource`, without the network. */
function remoteLike(storage: FileSyncStorage, name: string): CommitSource {
  return {
    async latestCommits(checkIn, known, waitMs, signal) {
      storage.checkIn(name, checkIn);
      return await storage.waitForCommits(known, waitMs, signal);
    },
    fetch: ({ have, isSuspect, want }) => storage.pack(want, have, isSuspect),
  };
}

/** Everything below a directory: names (one character a byte) with kind, execute permission and content. */
export function treeOf(directory: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: Buffer, name: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: 'buffer' })) {
      const child = Buffer.concat([path, Buffer.from('/'), entry.name]);
      const childName = `${name}${entry.name.toString('latin1')}`;
      if (entry.isDirectory()) {
        found[`${childName}/`] = '';
        visit(child, `${childName}/`);
      } else if (entry.isSymbolicLink()) found[childName] = `link to ${readlinkSync(child)}`;
      else {
        const isExecutable = (statSync(child).mode & 0o100) !== 0;
        found[childName] = `${isExecutable ? 'x' : '-'} ${readFileSync(child).toString('latin1')}`;
      }
    }
  };
  visit(Buffer.from(directory), '');
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Bytes on disk of a directory, each file counted once. */
export function diskUsage(directory: string): number {
  return Number(execFileSync('du', ['-s', '-B1', directory]).toString('utf8').split('\t')[0]);
}
