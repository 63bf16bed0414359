import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import type { Change } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import { Departures } from './departure.ts';
import { infrastructureRoutes, membershipRoute } from './routes.ts';
import { ServerRegister } from './server-register.ts';
import { InfrastructureStore, infrastructureMigrations } from './store.ts';
import { TokenRegister } from './token-register.ts';
import type { CheckIn } from './wire.ts';

const own: CheckIn = {
  state: 'running',
  version: '8.0.0',
  role: 'compile server',
  protocol: 2,
  url: 'https://primary.test:8140',
  started_at: '2026-01-01T00:00:00Z',
  services: { master: { state: 'running', active_alerts: [] } },
  code: { production: 'abc' },
  load: { workers: 1, busy_workers: 0, queued: 0, load_average: 0, cores: 1, resident_bytes: 1 },
  undelivered: 0,
};
const granted: Readonly<Record<string, readonly string[]>> = {
  editor: ['edit'],
  viewer: ['view'],
  guest: [],
};

let base: string;
let database: Database;
let servers: ServerRegister;
let http: HttpServer;
let port: number;
let recorded: Change[];
let removed: string[];
let stopping: AbortController;
let meanCompileMs: number | undefined;
let longWaiting: readonly string[];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'bunraku-infrastructure-routes-'));
  database = await openSqliteDatabase({ path: join(base, 'database.sqlite') });
  await migrate(database, infrastructureMigrations);
  const store = new InfrastructureStore(database);
  const now = () => new Date();
  [recorded, removed, stopping] = [[], [], new AbortController()];
  meanCompileMs = undefined;
  longWaiting = [];
  const record = async (change: Change) => void recorded.push(change);
  servers = await ServerRegister.load(store, { log: silentLogger, now, record });
  const certificates = {
    isIssued: async (certname: string) => certname === 'compile1.test',
    revoke: async () => {},
    remove: async (certname: string) => void removed.push(certname),
  };
  http = createHttpServer({
    routes: [
      ...checkedRoutes(
        infrastructureRoutes({
          servers,
          tokens: new TokenRegister({ store, caFingerprint: () => 'ab'.repeat(32), now }),
          record,
          departures: new Departures({
            self: 'primary.test',
            servers,
            certificates,
            drainTimeoutMs: 1,
            log: silentLogger,
          }),
          self: async () => own,
          certname: 'primary.test',
          defaultAltNames: ['DNS:puppet'],
          shared: { language_level: '8' },
          installations: { find: async () => undefined },
          meanCompileMs: () => meanCompileMs,
          longWaiting: () => longWaiting,
          stopping: stopping.signal,
        }),
      ),
      membershipRoute('https://primary.test:8140'),
    ],
    authorization: { rules: [], allowHeaderCertInfo: true },
    trustedProxies: new TrustedProxies(['127.0.0.1']),
    isInfrastructure: (identity) =>
      identity.kind === 'certificate' && identity.certname.startsWith('compile'),
    authenticate: async (login, address) => ({
      kind: 'user',
      id: login,
      login,
      address,
      permits: ({ action, objectType }) =>
        objectType === 'infrastructure' && granted[login]?.includes(action) === true,
    }),
    log: silentLogger,
  });
  port = await http.listen(0, '127.0.0.1');
});

afterEach(async () => {
  await http.drain(0);
  await database.close();
  await rm(base, { recursive: true });
});

type Sender = Readonly<Record<string, string>>;
const member: Sender = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=compile1.test' };
const user = (token: string): Sender => ({ 'x-authentication': token });

async function ask(sender: Sender, method: string, path: string, body?: object) {
  const answer = await fetch(`http://127.0.0.1:${port}/infrastructure/v1${path}`, {
    method,
    headers: { ...sender, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

describe('a member', () => {
  const report = { ...own, url: 'https://compile1.test:8140' };
  const speaking = { ...member, 'x-bunraku-protocol': '2' };

  test('checks in and is listed with what it said', async () => {
    const orders = await ask(speaking, 'POST', '/check-in', report);
    const { body } = await ask(user('viewer'), 'GET', '/status');

    expect(orders).toEqual({ status: 200, body: { leave: false, protocol: 2 } });
    expect(body).toMatchObject({
      servers: [
        { certname: 'primary.test', role: 'primary', state: 'running' },
        { certname: 'compile1.test', role: 'compile server', state: 'running', code: { production: 'abc' } },
      ],
      services: [{ server: 'primary.test' }, { server: 'compile1.test' }],
    });
  });

  test('is told the mean compile time of other servers', async () => {
    meanCompileMs = 320;

    expect(await ask(speaking, 'POST', '/check-in', report)).toEqual({
      status: 200,
      body: { leave: false, protocol: 2, mean_compile_ms: 320 },
    });
  });

  test('is told which nodes have waited for long, as they are when it is answered', async () => {
    longWaiting = ['old.test'];

    expect(await ask(speaking, 'POST', '/check-in?wait_ms=10', report)).toEqual({
      status: 200,
      body: { leave: false, protocol: 2, long_waiting: ['old.test'] },
    });
  });

  test('is refused with what to update when its protocol is too far away, and before its report is read', async () => {
    const late = await ask({ ...member, 'x-bunraku-protocol': '9' }, 'POST', '/check-in', { other: 'form' });

    expect(late).toMatchObject({
      status: 409,
      body: { kind: 'infrastructure/protocol', msg: expect.stringContaining('update this server first') },
    });
  });

  test('that waits is answered when it is to leave', async () => {
    await ask(speaking, 'POST', '/check-in', report);
    const contactMs = () => servers.find('compile1.test')?.lastContactAt?.getTime() ?? 0;
    const before = contactMs();
    await sleep(2);
    const waiting = ask(speaking, 'POST', '/check-in?wait_ms=4000', report);
    // A server that is told before it asks has left by the time that it asks.
    await expect.poll(contactMs, { interval: 1 }).toBeGreaterThan(before);
    const leaving = ask(user('editor'), 'DELETE', '/servers/compile1.test');

    expect(await waiting).toEqual({ status: 200, body: { leave: true, protocol: 2 } });
    await leaving;
  });

  test('does not hold up a primary that stops', async () => {
    stopping.abort();
    const began = performance.now();

    const answer = await ask(speaking, 'POST', '/check-in?wait_ms=4000', report);

    expect(answer).toEqual({ status: 200, body: { leave: false, protocol: 2 } });
    expect(performance.now() - began).toBeLessThan(3500);
  });

  test('leaves at once when it asks for that', async () => {
    await ask(speaking, 'POST', '/check-in', report);
    recorded = [];

    const left = await ask(speaking, 'POST', '/leave?force=true');

    expect(left).toEqual({
      status: 200,
      body: { certname: 'compile1.test', drained: 'skipped', revoked: true, deactivated: false },
    });
    expect([removed, servers.all()]).toEqual([['compile1.test'], []]);
    expect(recorded.map(({ author }) => author.name)).toEqual(['compile1.test']);
  });

  test('learns the shared settings, and where the primary is', async () => {
    expect((await ask(speaking, 'GET', '/shared-settings')).body).toEqual({
      settings: { language_level: '8' },
    });
    expect((await ask(speaking, 'GET', '/membership')).body).toEqual({
      primary: 'https://primary.test:8140',
    });
  });
});

describe('a user', () => {
  test('makes, lists and deletes tokens to join with, and is named in the record', async () => {
    const order = { uses: 2, ttl_seconds: 60, certnames: ['compile*.test'] };
    const created = await ask(user('editor'), 'POST', '/tokens', order);
    const listed = await ask(user('editor'), 'GET', '/tokens');
    const { id } = created.body as { readonly id: string };
    const deleted = await ask(user('editor'), 'DELETE', `/tokens/${id}`);

    expect(created).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    expect(listed.body).toEqual([
      expect.objectContaining({
        id,
        created_by: 'editor',
        uses_left: 2,
        certnames: ['compile*.test'],
        alt_names: ['DNS:puppet'],
      }),
    ]);
    expect(deleted.status).toBe(204);
    expect((await ask(user('editor'), 'GET', '/tokens')).body).toEqual([]);
    expect(recorded.map(({ author }) => author.name)).toEqual(['editor', 'editor']);
  });

  test('does what the permissions say', async () => {
    const statuses = async (token: string) => {
      const answers = [
        ask(user(token), 'GET', '/status'),
        ask(user(token), 'POST', '/tokens', {}),
        ask(user(token), 'DELETE', '/servers/unknown.test'),
      ];
      return (await Promise.all(answers)).map(({ status }) => status);
    };

    expect(await statuses('editor')).toEqual([200, 200, 404]);
    expect(await statuses('viewer')).toEqual([200, 403, 403]);
    expect(await statuses('guest')).toEqual([403, 403, 403]);
  });

  test('cannot make the primary leave, and is told which field of an order is wrong', async () => {
    const leave = await ask(user('editor'), 'DELETE', '/servers/primary.test?force=true');
    const wrong = await ask(user('editor'), 'POST', '/tokens', { uses: 0 });

    expect(leave).toMatchObject({
      status: 409,
      body: { msg: 'primary.test is the primary: it cannot leave' },
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('Invalid body: uses: ') },
    });
  });
});

test('a node that is not a server of the installation may do nothing', async () => {
  const node: Sender = { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=web1.test' };

  const answers = await Promise.all([
    ask(node, 'POST', '/check-in', own),
    ask(node, 'GET', '/status'),
    ask(node, 'GET', '/shared-settings'),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
});
