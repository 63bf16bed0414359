import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse, Identity } from '../../platform/http/index.ts';
import { deploy, FileSyncFixture } from './filesync-fixture.testing.ts';
import { fileSyncRoutes, forceSyncRoute } from './routes.ts';
import { clientStatus, storageStatus } from './status.ts';
import type { FileSyncStorage } from './storage.ts';

let fixture: FileSyncFixture;

beforeEach(() => {
  fixture = new FileSyncFixture(process.env['PATH']);
  fixture.stage('environments/production/a', '1');
  fixture.stage('environments/testing/a', '1');
});
afterEach(() => fixture.remove());

type Json = Readonly<Record<string, unknown>>;

async function post(storage: FileSyncStorage, path: string, body: unknown): Promise<Json> {
  const route = fileSyncRoutes(storage, Date.now).find((known) => known.path === path);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const identity: Partial<Identity> = { kind: 'certificate', certname: 'operator.example.com' };
  const request: Partial<HttpRequest> = {
    identity: identity as Identity,
    signal: new AbortController().signal,
    body: () => Promise.resolve(Buffer.from(text)),
  };
  const response = (await route?.handle(request as HttpRequest)) as HttpResponse;
  return JSON.parse(String(response.body)) as Json;
}

test('the storage service shows the latest commits, and what each client serves since when', async () => {
  const storage = await fixture.openStorage();
  const [local, remote] = [fixture.local(storage), fixture.remote(storage, 'compile1.example.com')];
  for (const { client } of [local, remote, remote]) await client.synchronise();
  fixture.stage('environments/production/a', '2');
  const author = { name: 'Ada', email: 'ada@example.com' };
  await storage.commitAll({ message: "code-manager deploy signature: 'abc'", author });
  await local.client.synchronise();
  await local.client.synchronise();

  const { state, status } = storageStatus(storage, '1', Date.now).read('debug');

  const commits = storage.latestCommits();
  const shown = (message: string, commit: unknown) => ({
    status: 'ok',
    latest_commit: expect.objectContaining({ commit, message }),
  });
  expect(state).toBe('running');
  expect(status).toMatchObject({
    repos: {
      'puppet-code': {
        status: 'ok',
        latest_commit: { message: "code-manager deploy signature: 'abc'", author },
        submodules: {
          production: {
            status: 'ok',
            latest_commit: {
              commit: commits['production'],
              message: "code-manager deploy signature: 'abc'",
              identity: author,
              date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
            },
          },
          testing: shown('What was staged when file sync began', commits['testing']),
        },
      },
    },
    clients: {
      'primary.example.com': {
        is_current: true,
        repos: {
          'puppet-code': {
            status: 'ok',
            submodules: { production: { latest_commit: { commit: commits['production'] } } },
          },
        },
      },
      'compile1.example.com': {
        is_current: false,
        last_check_in_time: expect.stringMatching(/Z$/),
        repos: {
          'puppet-code': {
            status: 'new-commits',
            submodules: {
              production: shown(
                'What was staged when file sync began',
                expect.not.stringMatching(commits['production'] ?? ''),
              ),
            },
          },
        },
      },
    },
  });
});

test('a server that has left for good is shown no more', async () => {
  const storage = await fixture.openStorage();
  for (const name of ['compile1.example.com', 'compile2.example.com'])
    await fixture.remote(storage, name).client.synchronise();

  storage.forgetClient('compile1.example.com');

  const { status } = storageStatus(storage, '1', Date.now).read('debug');
  expect(Object.keys((status as { readonly clients: object }).clients)).toEqual(['compile2.example.com']);
});

test('the repository has the same commit everywhere when all have the same', async () => {
  const storage = await fixture.openStorage();
  const { client, versions } = fixture.remote(storage);
  await client.synchronise();

  const ofStorage = storageStatus(storage, '1', Date.now).read('info').status;
  const ofClient = clientStatus(client, versions, '1', Date.now).read('info').status;

  const pick = (status: unknown) =>
    (status as { repos: { 'puppet-code': { latest_commit: unknown; submodules: unknown } } }).repos[
      'puppet-code'
    ];
  expect(pick(ofClient)).toEqual(pick(ofStorage));
  expect(ofClient).toMatchObject({
    last_check_in_time: expect.any(String),
    last_successful_sync_time: expect.any(String),
  });
});

test('nothing but the state at the level critical', async () => {
  const storage = await fixture.openStorage();

  expect(storageStatus(storage, '1', Date.now).read('critical')).toEqual({ state: 'running' });
});

test('a client that could not bring a commit live says so, itself and on the primary', async () => {
  const storage = await fixture.openStorage();
  const { client, versions } = fixture.follow(
    {
      async latestCommits(checkIn, known, waitMs, signal) {
        storage.checkIn('compile1.example.com', checkIn);
        return await storage.waitForCommits(known, waitMs, signal);
      },
      fetch: () => Promise.reject(new Error('the line is cut')),
    },
    'compile1.example.com',
  );
  await client
    .synchronise()
    .catch(() => client.synchronise())
    .catch(() => undefined);

  const own = clientStatus(client, versions, '1', Date.now).read('debug').status;
  const primary = storageStatus(storage, '1', Date.now).read('debug').status;

  const error = { status: 'error', cause: { message: 'the line is cut' } };
  expect(own).toMatchObject({
    repos: { 'puppet-code': { submodules: { production: error, testing: error } } },
  });
  expect(primary).toMatchObject({
    clients: {
      'compile1.example.com': {
        repos: { 'puppet-code': { status: 'error', submodules: { testing: error } } },
      },
    },
  });
});

test('commit answers with the commits of all environments; one of them can be committed alone', async () => {
  const storage = await fixture.openStorage();
  const before = storage.latestCommits();
  fixture.stage('environments/production/a', '2');
  fixture.stage('environments/testing/a', '2');

  const one = await post(storage, '/file-sync/v1/commit', {
    'repo-id': 'puppet-code',
    'submodule-id': 'production',
    message: 'only this',
    author: { name: 'Ada', email: 'a@b' },
  });
  const between = storage.latestCommits();
  await post(storage, '/file-sync/v1/commit', { 'commit-all': true });

  expect(one).toMatchObject({
    'puppet-code': {
      status: 'ok',
      submodules: {
        'environments/production': { commit: between['production'], status: 'ok' },
        'environments/testing': { commit: before['testing'], status: 'ok' },
      },
    },
  });
  expect(storage.record('production')?.current).toMatchObject({
    message: 'only this',
    author: { name: 'Ada', email: 'a@b' },
  });
  expect(storage.record('testing')?.current.message).toBe('Commit by operator.example.com');
});

test.each([
  ['{}', "Either 'commit-all' must be true or 'repo-id' must be given"],
  ['{"commit-all": true, "repo-id": "puppet-code"}', "'commit-all' excludes 'repo-id' and 'submodule-id'"],
  ['{"submodule-id": "production"}', "Either 'commit-all' must be true or 'repo-id' must be given"],
  ['{"repo-id": "other"}', "There is no repository 'other'"],
  ['{"repo-id": "puppet-code", "submodule-id": "nowhere"}', "There is no environment 'nowhere'"],
  ['{"repo-id": "puppet-code", "submodule-id": ".."}', 'must be purely alphanumeric'],
  ['{"author": "bad"}', 'Invalid body: author'],
  ['malformed', 'The body is not valid JSON'],
])('commit refuses %s', async (body, message) => {
  const storage = await fixture.openStorage();

  await expect(post(storage, '/file-sync/v1/commit', body)).rejects.toThrow(message);
});

test.each([
  ['{"want": []}', 'Invalid body: want'],
  ['{"want": ["--all"]}', 'Invalid body: want.0'],
  [`{"want": ["${'f'.repeat(40)}"]}`, 'There is no commit ffff'],
])('packs refuses %s', async (body, message) => {
  const storage = await fixture.openStorage();

  await expect(post(storage, '/file-sync/v1/packs', body)).rejects.toThrow(message);
});

test('force-sync brings what is committed live at once, and answers with the status', async () => {
  const storage = await fixture.openStorage();
  const { client, versions } = fixture.remote(storage);
  await storage.commitAll(deploy);

  const request: Partial<HttpRequest> = { signal: new AbortController().signal };
  const response = await forceSyncRoute(client, versions, Date.now).handle(request as HttpRequest);

  expect(versions.commits()).toEqual(storage.latestCommits());
  expect(JSON.parse(String(response.body))).toMatchObject({ 'puppet-code': { status: 'ok' } });
});
