/** A PostgreSQL of the tests' own: Debian's, in a temporary directory, on a Unix socket only. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLocation } from '../../src/platform/storage/index.ts';

export interface RunningPostgres {
  /** Makes an empty database. */
  createDatabase(): Promise<DatabaseLocation>;
  /** The first one that was made: here, or in the one that this is a copy of. */
  readonly firstDatabase: DatabaseLocation;
  /** Kills it hard with all its processes, and starts it again: it recovers from its log. */
  crash(): Promise<void>;
  /** Of the first process. */
  readonly pid: () => number;
  stop(): Promise<void>;
  /** Stops it and keeps its files. @param place - of a directory that is not there yet */
  stopAndKeep(place: string): Promise<void>;
}

const root = '/usr/lib/postgresql';

/** Where its programs are; `undefined` when it is not installed. */
export const postgresPrograms = findPrograms();

export interface PostgresStart {
  /** Whether it syncs: for tests of crashes and for measurements. */
  readonly isDurable: boolean;
  /** A port on loopback for programs that know no Unix sockets. */
  readonly port?: number;
  /** The files of one that was kept: this one begins with a copy of them. */
  readonly copyOf?: string;
}

export async function startPostgres(options: PostgresStart): Promise<RunningPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-postgres-'));
  const owner = unprivilegedUser();
  chmodSync(directory, 0o755);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, 'data');
  const run = { cwd: directory, stdio: 'ignore', ...owner } as const;
  if (options.copyOf === undefined)
    execFileSync(
      program('initdb'),
      ['-D', data, '-U', 'bunraku', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'],
      run,
    );
  else execFileSync('cp', ['-a', '--reflink=auto', options.copyOf, data]);
  const port = options.port ?? 5432;
  const start = async (): Promise<ChildProcess> => {
    const listening =
      options.port === undefined
        ? ['listen_addresses=']
        : ['listen_addresses=127.0.0.1', `port=${options.port}`];
    const settings = [...listening, `unix_socket_directories=${directory}`, 'max_connections=60'];
    if (!options.isDurable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
    const args = settings.flatMap((setting) => ['-c', setting]);
    const started = spawn(program('postgres'), ['-D', data, ...args], run);
    await waitUntilReady(directory, port, started);
    return started;
  };
  let child = await start();
  let databases = 0;
  const locationOf = (name: string): DatabaseLocation => ({
    kind: 'postgresql',
    url: `postgresql://bunraku@${encodeURIComponent(directory)}:${port}/${name}`,
    connections: 6,
    statementTimeoutMs: 60_000,
  });
  const end = async () => {
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGINT');
    await gone;
  };
  return {
    pid: () => child.pid ?? 0,
    firstDatabase: locationOf('test1'),
    async createDatabase() {
      const name = `test${++databases}`;
      const client = await connect(directory, port, 'postgres');
      await client.query(`create database ${name}`);
      await client.end();
      return locationOf(name);
    },
    async crash() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      child = await restarted(start);
    },
    async stop() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
    async stopAndKeep(place) {
      await end();
      execFileSync('cp', ['-a', '--reflink=auto', data, place]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Its other processes need a moment to see that the first is gone; until then it refuses to start. */
async function restarted(start: () => Promise<ChildProcess>): Promise<ChildProcess> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 300) throw error;
      await sleep(200);
    }
  }
}

/** However long that takes on this machine: the caller has a limit. */
async function waitUntilReady(directory: string, port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL ended with ${child.exitCode ?? child.signalCode}`);
    try {
      const client = await connect(directory, port, 'postgres');
      await client.end();
      return;
    } catch {
      // Not ready yet.
      await sleep(50);
    }
  }
}

async function connect(directory: string, port: number, database: string): Promise<pg.Client> {
  const client = new pg.Client({ host: directory, port, user: 'bunraku', database });
  client.on('error', () => {
    // It is going down; the caller sees it.
  });
  await client.connect();
  return client;
}

function program(name: string): string {
  return join(postgresPrograms ?? '', name);
}

function findPrograms(): string | undefined {
  if (!existsSync(root)) return undefined;
  const [newest] = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:') || each.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}
