import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import { codeIdOf } from './code-versions.ts';
import { deploy, diskUsage, FileSyncFixture, type Follower, treeOf } from './filesync-fixture.testing.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  fixture.stage('environments/production/modules/m/files/a', '1');
});
afterEach(() => fixture.remove());

async function contentOf({ client }: Follower, commit: string, name: string, environment = 'production') {
  const found = await client.findFile(environment, codeIdOf(environment, commit), name);
  if (found === undefined) return undefined;
  const content = await buffer(found.open());
  expect(content.length).toBe(found.bytes);
  return content.toString('utf8');
}

test('files of old commits are found as they were, on every server; also of those that are not live yet', async () => {
  symlinkSync('a', join(fixture.staging, 'environments/production/modules/m/files/link'));
  fixture.stage('environments/production/modules/m/files/\u00fc', 'umlaut');
  const storage = await fixture.openStorage();
  const [local, remote] = [fixture.local(storage), fixture.remote(storage)];
  const commits: string[] = [];
  for (const content of ['2', '3', '4', '5', '6']) {
    fixture.stage('environments/production/modules/m/files/a', content);
    commits.push((await storage.commitAll(deploy))['production'] ?? '');
    if (content === '6') break; // not live
    for (const { client } of [local, remote]) await client.synchronise();
  }
  const late = fixture.remote(storage, 'late');
  await late.client.synchronise();

  for (const follower of [local, remote, late]) {
    const found = await Promise.all(commits.map((id) => contentOf(follower, id, 'modules/m/files/a')));
    expect(found).toEqual(['2', '3', '4', '5', '6']);
    expect(await contentOf(follower, commits[0] ?? '', 'modules/m/files/link')).toBe('2');
    expect(await contentOf(follower, commits[0] ?? '', 'modules/m/files/\u00fc')).toBe('umlaut');
    expect(await contentOf(follower, commits[0] ?? '', 'modules/m/files')).toBeUndefined();
    expect(await contentOf(follower, commits[0] ?? '', 'modules/m/files/none')).toBeUndefined();
    expect(await contentOf(follower, commits[0] ?? '', 'modules/m/files/a\n')).toBeUndefined();
    expect(await contentOf(follower, 'f'.repeat(40), 'modules/m/files/a')).toBeUndefined();
    expect(
      await follower.client.findFile(
        'testing',
        codeIdOf('production', commits[0] ?? ''),
        'modules/m/files/a',
      ),
    ).toBeUndefined();
    expect(await follower.client.findFile('production', 'rubbish', 'modules/m/files/a')).toBeUndefined();
  }
});

test('a request for an unknown commit is not taken for damage', async () => {
  const warnings = await warningsOf(async (watched) => {
    watched.stage('environments/production/modules/m/files/a', '1');
    const storage = await watched.openStorage();
    for (const follower of [watched.local(storage), watched.remote(storage)]) {
      await follower.client.synchronise();
      expect(await contentOf(follower, 'f'.repeat(40), 'modules/m/files/a')).toBeUndefined();
    }
  });

  expect(warnings).toEqual([]);
});

test('the first files of an environment that was empty are not taken for damage', async () => {
  const warnings = await warningsOf(async (watched) => {
    mkdirSync(join(watched.staging, 'environments', 'production'), { recursive: true });
    const storage = await watched.openStorage();
    const followers = [watched.local(storage), watched.remote(storage)];
    for (const { client } of followers) await client.synchronise();
    watched.stage('environments/production/manifests/site.pp', 'include a');
    await storage.commitAll(deploy);
    for (const { client, versions } of followers) {
      await client.synchronise();
      const live = versions.current('production')?.directory ?? '';
      expect(readFileSync(join(live, 'manifests', 'site.pp'), 'utf8')).toBe('include a');
    }
  });

  expect(warnings).toEqual([]);
});

test('what is kept is bounded, on the primary and on other servers, however many deploys there are', async () => {
  const storage = await fixture.openStorage({ keptCommits: 3, graceSeconds: 0 });
  const remote = fixture.remote(storage);
  const first = storage.latestCommits()['production'] ?? '';
  await remote.client.synchronise();
  const size = 100_000;
  const deploys = 50;
  for (let count = 0; count < deploys; count += 1) {
    fixture.stage('environments/production/modules/m/files/large', randomBytes(size));
    await storage.commitAll(deploy);
    await remote.client.synchronise();
  }
  await storage.idle();
  await remote.client.idle();

  expect(storage.record('production')?.commits).toHaveLength(3);
  // Objects are collected when there are many packs: each forty deploys or so.
  expect(diskUsage(join(fixture.root, 'storage'))).toBeLessThan(30 * size);
  expect(diskUsage(remote.directory)).toBeLessThan(30 * size);
  expect(await contentOf(fixture.remote(storage, 'late'), first, 'modules/m/files/a')).toBeUndefined();
});

test('a server that was away while everything that it knew was dropped catches up', async () => {
  const storage = await fixture.openStorage({ keptCommits: 1, graceSeconds: 0 });
  const remote = fixture.remote(storage);
  await remote.client.synchronise();
  await remote.client.stop();
  for (let count = 0; count < 45; count += 1) {
    fixture.stage('environments/production/modules/m/files/a', String(count));
    await storage.commitAll(deploy);
  }
  await storage.idle();
  const back = fixture.remote(storage);
  await back.client.restore();
  const before = back.versions.current('production');
  expect(treeOf(before?.directory ?? '')).toMatchObject({ 'modules/m/files/a': '- 1' });

  await back.client.synchronise();

  expect(treeOf(back.versions.current('production')?.directory ?? '')).toMatchObject({
    'modules/m/files/a': '- 44',
  });
  expect(existsSync(join(fixture.root, 'storage/puppet-code.git'))).toBe(true);
});

test('a removed environment can be brought back, also after a restart, for 30 days', async () => {
  fixture.stage('environments/testing/manifests/site.pp', 'notice(1)');
  const storage = await fixture.openStorage();
  const follower = fixture.remote(storage);
  await follower.client.synchronise();
  const [commit] = storage.history('testing');

  await storage.forget('testing');
  await follower.client.synchronise();

  expect(Object.keys(storage.latestCommits())).toEqual(['production']);
  expect(follower.versions.current('testing')).toBeUndefined();
  const again = await fixture.openStorage();
  expect(again.history('testing')).toEqual([commit]);
  await again.activate('testing', commit?.id ?? '');
  const late = fixture.remote(again, 'late');
  await late.client.synchronise();
  expect(late.versions.current('testing')).toBeDefined();

  await again.forget('testing');
  const muchLater = await fixture.openStorage({ now: () => Date.now() + 31 * 24 * 60 * 60 * 1000 });
  expect(muchLater.history('testing')).toEqual([]);
});

/** What servers warn of in an installation of their own. */
async function warningsOf(use: (watched: FileSyncFixture) => Promise<void>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (_fields: unknown, message: string) => void warnings.push(message) };
  const watched = new FileSyncFixture(process.env['PATH'], log);
  try {
    await use(watched);
  } finally {
    await watched.remove();
  }
  return warnings;
}
