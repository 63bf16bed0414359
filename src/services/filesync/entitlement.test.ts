import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpClient } from '../../platform/http-client/index.ts';
import { FileSyncFixture } from './filesync-fixture.testing.ts';
import { remoteSource } from './sources.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
});
afterEach(() => fixture.remove());

/** A follower of a primary that answers with these statuses, one after another. */
function follower(statuses: readonly number[]) {
  const left = [...statuses];
  const send = () => {
    const status = left.shift() ?? 200;
    const body = status === 200 ? JSON.stringify({ commits: {} }) : 'Forbidden request';
    return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
  };
  const client = { send } as unknown as HttpClient;
  return fixture.follow(remoteSource({ primaryUrl: 'https://primary.test:8140', client }), 'member').client;
}

test('a server that may have no code knows it, until it may', async () => {
  const client = follower([403, 200]);
  const before = client.isEntitled;

  await expect(client.synchronise()).rejects.toThrow('status 403');
  const refused = client.isEntitled;
  await client.synchronise();

  expect([before, refused, client.isEntitled]).toEqual([true, false, true]);
});

test('a primary that fails says nothing about rights', async () => {
  const client = follower([503]);

  await expect(client.synchronise()).rejects.toThrow('status 503');

  expect(client.isEntitled).toBe(true);
});
