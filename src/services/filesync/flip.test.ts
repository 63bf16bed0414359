import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';
import { localSource } from './sources.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  fixture.stage('environments/production/a', '1');
  fixture.stage('environments/testing/a', '1');
});
afterEach(() => fixture.remove());

test('a version is whole and warm before it is live, and what began before keeps its own', async () => {
  const storage = await fixture.openStorage();
  const seen: string[] = [];
  const { client, versions } = fixture.follow(localSource(storage, 'p'), 'local', {
    warm(version) {
      const live = versions.current(version.environment);
      if (version.environment === 'production')
        seen.push(
          `${version.commit} is ${existsSync(`${version.directory}/a`) ? 'there' : 'not there'}, live is ${live?.commit}`,
        );
      return Promise.resolve();
    },
  });
  const first = storage.latestCommits()['production'];
  await client.synchronise();
  const begun = versions.current('production');
  fixture.stage('environments/production/a', '2');
  const second = (await storage.commitAll(deploy))['production'];

  await client.synchronise();

  expect(seen).toEqual([`${first} is there, live is undefined`, `${second} is there, live is ${first}`]);
  expect(existsSync(`${begun?.directory}/a`)).toBe(true);
});

test('an environment that cannot be warmed keeps no other from going live, and is tried again', async () => {
  const storage = await fixture.openStorage();
  let isBroken = true;
  const { client, versions } = fixture.follow(localSource(storage, 'p'), 'local', {
    warm: ({ environment }) =>
      environment === 'testing' && isBroken
        ? Promise.reject(new Error('environment.conf is a directory'))
        : Promise.resolve(),
  });

  await expect(client.synchronise()).rejects.toThrow(
    "Could not bring environment 'testing' live: environment.conf is a directory",
  );
  const between = versions.environments();
  isBroken = false;
  await client.synchronise();

  expect(between).toEqual(['production']);
  expect(versions.environments()).toEqual(['production', 'testing']);
  expect(client.status.failures).toEqual([]);
});

test('an environment that is gone leaves nothing on the disk', async () => {
  const storage = await fixture.openStorage();
  const { client, directory } = fixture.local(storage);
  for (const content of ['1', '2', '3', '4', '5']) {
    fixture.stage('environments/testing/a', content);
    await storage.commitAll(deploy);
    await client.synchronise();
    await client.idle();
  }
  rmSync(join(fixture.staging, 'environments/testing'), { recursive: true });
  await storage.commitAll(deploy);

  await client.synchronise();
  await client.idle();

  expect(readdirSync(join(directory, 'partial'))).toEqual([]);
  expect(readdirSync(join(directory, 'indexes/versions/testing'))).toEqual([]);
});
