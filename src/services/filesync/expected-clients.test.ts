import { afterEach, beforeEach, expect, test } from 'vitest';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';

let fixture: FileSyncFixture;
let nowMs: number;

beforeEach(() => {
  nowMs = Date.now();
  fixture = new FileSyncFixture(process.env['PATH']);
  fixture.stage('environments/production/a', '1');
});
afterEach(() => fixture.remove());

test('just after a restart a commit is awaited on servers that are not back yet', async () => {
  const storage = await fixture.openStorage();
  const compiler = fixture.remote(storage, 'compile1.example.com');
  storage.expectClients(['compile1.example.com']);
  await storage.commitAll(deploy);

  const isLive = storage.untilServed(
    (client) => storage.isCurrent(client),
    60_000,
    new AbortController().signal,
  );
  const before = [storage.presentClients().length, storage.awaitedClients()];
  for (let count = 0; count < 2; count += 1) await compiler.client.synchronise();

  expect(before).toEqual([0, ['compile1.example.com']]);
  expect(await isLive).toBe(true);
  expect(storage.presentClients().map(({ certname }) => certname)).toEqual(['compile1.example.com']);
  expect(storage.awaitedClients()).toEqual([]);
});

test('a server that stays away is given up, and one that has left is not awaited', async () => {
  const storage = await fixture.openStorage({ now: () => nowMs });
  const { signal } = new AbortController();
  storage.expectClients(['compile1.example.com', 'left.example.com']);
  storage.forgetClient('left.example.com');

  const soon = await storage.untilServed(() => true, 0, signal);
  const awaited = storage.awaitedClients();
  nowMs += 31_000;

  expect([soon, awaited]).toEqual([false, ['compile1.example.com']]);
  expect(await storage.untilServed(() => true, 0, signal)).toBe(true);
});
