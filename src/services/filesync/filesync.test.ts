import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Git } from '../../platform/git/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { FileSyncClient } from './client.ts';
import { CodeVersions, codeIdOf, commitOf } from './code-versions.ts';
import { localSource } from './sources.ts';
import { FileSyncStorage } from './storage.ts';

const message = { message: 'deploy', author: { name: 'tester', email: 'tester@example.com' } };
const git = new Git({ PATH: process.env['PATH'] });
const clients: FileSyncClient[] = [];
const storages: FileSyncStorage[] = [];
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'filesync-'));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  for (const storage of storages.splice(0)) await storage.idle();
  await rm(root, { recursive: true, force: true });
});

async function stage(path: string, content: string): Promise<void> {
  const file = join(root, 'staging', 'environments', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function openStorage(): Promise<FileSyncStorage> {
  const storage = await FileSyncStorage.open({
    git,
    directory: join(root, 'storage'),
    stagingDirectory: join(root, 'staging'),
    log: silentLogger,
    now: Date.now,
  });
  storages.push(storage);
  return storage;
}

function createClient(storage: FileSyncStorage, versions: CodeVersions, pollIntervalMs = 20): FileSyncClient {
  const client = new FileSyncClient({
    source: localSource(storage, 'primary.example.com'),
    git,
    now: Date.now,
    versions,
    directory: join(root, 'client'),
    log: silentLogger,
    pollIntervalMs,
  });
  clients.push(client);
  return client;
}

describe('file sync', () => {
  test('makes what is staged live as a whole, byte for byte', async () => {
    await stage('production/manifests/site.pp', 'notice 1\r\n');
    await stage('production/.gitattributes', '*.pp text eol=lf\nsecret export-ignore\n');
    await stage('production/.gitignore', '*.txt\n');
    await stage('production/secret', 's');
    await stage('production/ignored.txt', 'kept all the same');
    await stage('production/modules/foo/.git/HEAD', 'a checkout of its own');
    await stage('production/modules/foo/manifests/init.pp', 'class foo {}');
    await symlink('site.pp', join(root, 'staging/environments/production/manifests/link.pp'));
    const versions = new CodeVersions();

    await createClient(await openStorage(), versions).synchronise();

    const live = versions.current('production')?.directory ?? '';
    expect(await readFile(join(live, 'manifests/site.pp'), 'utf8')).toBe('notice 1\r\n');
    expect(await readFile(join(live, 'secret'), 'utf8')).toBe('s');
    expect(await readFile(join(live, 'ignored.txt'), 'utf8')).toBe('kept all the same');
    expect(await readFile(join(live, 'modules/foo/manifests/init.pp'), 'utf8')).toBe('class foo {}');
    expect(await readlink(join(live, 'manifests/link.pp'))).toBe('site.pp');
    expect(existsSync(join(live, 'modules/foo/.git'))).toBe(false);
  });

  test('gives the same commit when nothing has changed and another one when something has', async () => {
    await stage('production/a', '1');
    const storage = await openStorage();
    const first = storage.latestCommits()['production'];

    const unchanged = await storage.commitAll(message);
    await stage('production/a', '2');
    const changed = await storage.commitAll(message);

    expect(unchanged['production']).toBe(first);
    expect(changed['production']).not.toBe(first);
  });

  test('sends only what a server does not have', async () => {
    for (let index = 0; index < 50; index += 1)
      await stage(`production/files/${index}`, randomBytes(2000).toString('hex'));
    const storage = await openStorage();
    const { production: before = '' } = storage.latestCommits();
    await stage('production/files/7', 'changed');
    const { production: after = '' } = await storage.commitAll(message);

    const [all, missing] = await Promise.all(
      [[], [before]].map(async (have) => (await storage.pack([after], have, false)) as Buffer),
    );

    expect(all?.length).toBeGreaterThan(50 * 2000);
    expect(missing?.length).toBeLessThan(5000);
  });

  test('keeps a version while somebody holds it, and prunes it afterwards', async () => {
    await stage('production/a', '0');
    const storage = await openStorage();
    const versions = new CodeVersions();
    const client = createClient(storage, versions);
    await client.synchronise();
    const held = versions.current('production');
    if (held === undefined) throw new Error('nothing is live');
    const release = versions.hold(held);
    const deploy = async (content: string) => {
      await stage('production/a', content);
      await storage.commitAll(message);
      await client.synchronise();
      await client.idle();
    };

    for (const content of ['1', '2', '3', '4']) await deploy(content);

    expect(await readFile(join(held.directory, 'a'), 'utf8')).toBe('0');
    release();
    for (const content of ['5', '6']) await deploy(content);
    expect(existsSync(held.directory)).toBe(false);
    expect((await readdir(dirname(held.directory))).length).toBeLessThanOrEqual(3);
  });

  test('wakes clients that wait, follows new and removed environments', async () => {
    await stage('production/a', '1');
    const storage = await openStorage();
    const versions = new CodeVersions();
    const client = createClient(storage, versions, 3_600_000);
    client.start();
    const flipped = (environment: string) =>
      new Promise<void>((resolve) => {
        versions.onFlip((version) => version.environment === environment && resolve());
        if (versions.current(environment) !== undefined) resolve();
      });
    await flipped('production');

    const staging = flipped('staging');
    await stage('staging/a', '1');
    await storage.commitAll(message);
    await staging;
    await rm(join(root, 'staging/environments/staging'), { recursive: true });
    await storage.commitAll(message);

    await expect.poll(() => versions.environments()).toEqual(['production']);
    await client.stop();
  });

  test('asks again without being woken', async () => {
    await stage('production/a', '1');
    const storage = await openStorage();
    const versions = new CodeVersions();
    const own = localSource(storage, 'primary.example.com');
    const client = new FileSyncClient({
      // Waits as long as it may, and hears of nothing.
      source: {
        ...own,
        latestCommits: async (checkIn, _known, waitMs, signal) => {
          await sleep(waitMs, undefined, { signal });
          return await own.latestCommits(checkIn, { commits: {}, coming: [] }, 0, signal);
        },
      },
      git,
      now: Date.now,
      versions,
      directory: join(root, 'client'),
      log: silentLogger,
      pollIntervalMs: 20,
    });
    clients.push(client);
    client.start();
    await expect.poll(() => versions.environments()).toEqual(['production']);
    await stage('production/a', '2');

    const { production } = await storage.commitAll(message);

    await expect.poll(() => versions.current('production')?.commit).toBe(production);
  });

  test('does not ask in a loop where it is answered at once without news', async () => {
    await stage('production/a', '1');
    const storage = await openStorage();
    await storage.commitAll(message);
    const own = localSource(storage, 'primary.example.com');
    let asked = 0;
    const source = {
      ...own,
      latestCommits: async (...args: Parameters<typeof own.latestCommits>) => {
        asked += 1;
        return await own.latestCommits(...args);
      },
    };
    const versions = new CodeVersions();
    const directory = join(root, 'client');
    const client = new FileSyncClient({
      source,
      git,
      versions,
      directory,
      log: silentLogger,
      now: Date.now,
      pollIntervalMs: 3_600_000,
    });
    clients.push(client);
    client.start();
    await expect.poll(() => asked).toBe(2);

    storage.releaseWaiting();
    await sleep(50);

    expect(asked).toBeLessThanOrEqual(3);
  });

  test('serves what was live before when it starts again without its source', async () => {
    await stage('production/a', '1');
    const before = createClient(await openStorage(), new CodeVersions());
    await before.synchronise();
    await before.idle();
    const versions = new CodeVersions();

    await createClient(await openStorage(), versions).restore();

    expect(versions.environments()).toEqual(['production']);
  });

  test('refuses names of environments that are none', async () => {
    const storage = await openStorage();

    await expect(storage.commitEnvironment('../evil', message)).rejects.toThrow(
      'must be purely alphanumeric',
    );
    await expect(storage.commitEnvironment('nowhere', message)).rejects.toThrow("no environment 'nowhere'");
  });
});

test('a code id names its commit', () => {
  const commit = 'a'.repeat(40);

  expect(commitOf(codeIdOf('production', commit))).toBe(commit);
  expect(commitOf('something else')).toBeUndefined();
});
