import { afterEach, beforeEach, expect, test } from 'vitest';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';

let fixture: FileSyncFixture;
beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
});
afterEach(() => fixture.remove());

test('servers know of an environment from the beginning of its deploy until they serve it', async () => {
  fixture.stage('environments/production/a', '1');
  const storage = await fixture.openStorage();
  const { client, versions } = fixture.remote(storage);
  client.start();
  await expect.poll(() => versions.environments()).toEqual(['production']);

  expect(client.isComing('next')).toBe(false);
  const [ended, endedAgain] = [storage.announce('next'), storage.announce('next')];
  await expect.poll(() => client.isComing('next')).toBe(true);
  ended();
  fixture.stage('environments/next/a', '1');
  await storage.commit(['next'], deploy);
  endedAgain();
  const seen: unknown[] = [];
  while (!versions.environments().includes('next')) {
    seen.push(client.isComing('next'));
    await new Promise(setImmediate);
  }

  expect(new Set(seen)).toEqual(new Set([true]));
});

test('and of one whose deploy fails no longer than that', async () => {
  fixture.stage('environments/production/a', '1');
  const storage = await fixture.openStorage();
  const { client } = fixture.remote(storage);
  client.start();
  const ended = storage.announce('next');
  await expect.poll(() => client.isComing('next')).toBe(true);

  ended();

  await expect.poll(() => client.isComing('next')).toBe(false);
});

test('what cannot be brought live is not waited for', async () => {
  fixture.stage('environments/production/a', '1');
  const storage = await fixture.openStorage();
  const source = {
    latestCommits: () => Promise.resolve({ commits: storage.latestCommits(), coming: [] }),
    fetch: () => Promise.reject(new Error('the line is cut')),
  };
  const { client } = fixture.follow(source, 'cut off');

  await client
    .synchronise()
    .catch(() => client.synchronise())
    .catch(() => undefined);

  expect(client.status.failures).not.toEqual([]);
  expect(client.isComing('production')).toBe(false);
});
