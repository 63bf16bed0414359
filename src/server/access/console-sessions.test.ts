/** The console's login and sessions with the users of an installation, as browsers and attackers use them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directoryOptions } from '../../../test/support/directory-options.ts';
import { oneTimeCode } from '../../../test/support/one-time-code.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../platform/storage/index.ts';
import {
  BuiltConsole,
  consoleRoutes,
  securityHeaders,
  sessionAuthenticator,
} from '../../services/console/index.ts';
import { createRbac, type Rbac, RbacStore, rbacMigrations, rbacRoutes } from '../../services/rbac/index.ts';
import { consoleSessions } from './console-sessions.ts';

const password = 'correct horse';
const operator = {
  id: 'operator',
  login: 'operator',
  permits: () => true,
  author: { kind: 'certificate', id: 'operator', name: 'operator' },
} as const;
const page =
  '<!doctype html><style nonce="{{nonce}}"></style><p>{{error}}|{{login}}|{{next}}|{{disclaimer}}</p>';
let directory: string;
let database: Database;
let rbac: Rbac;
let http: HttpServer;
let url: string;
let nowMs: number;
let userId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-console-'));
  mkdirSync(join(directory, 'built', 'assets'), { recursive: true });
  for (const [name, text] of Object.entries({
    'index.html': '<!doctype html><title>Console</title>{{nonce}}',
    'login.html': page,
    'reset.html': '<!doctype html><p>{{error}}|{{token}}</p>',
    'assets/index-1.js': 'plain',
    'assets/index-1.js.br': 'brotli',
    'favicon.svg': '<svg/>',
  }))
    writeFileSync(join(directory, 'built', name), text);
  nowMs = Date.UTC(2026, 0, 1);
  database = await openSqliteDatabase({ path: join(directory, 'state.db') });
  await migrate(database, [...changeMigrations, ...rbacMigrations]);
  let ids = 0;
  rbac = createRbac({
    store: new RbacStore(database),
    log: silentLogger,
    now: () => new Date(nowMs),
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    tokenLifetimeSeconds: 3600,
    mostTokenLifetimeSeconds: 86_400,
    mostFailedLogins: 10,
    passwordCost: { N: 2 ** 10, r: 8, p: 1 },
    directories: directoryOptions(database),
  });
  const definition = { login: 'ann', displayName: 'Ann', email: '', roleIds: [3] };
  ({ id: userId } = await rbac.users.create(definition, password, operator));
  const sessions = consoleSessions(rbac);
  const files = await BuiltConsole.read(join(directory, 'built'));
  http = createHttpServer({
    routes: [
      ...rbacRoutes(rbac, { kind: 'permission' }),
      ...consoleRoutes({
        files,
        sessions,
        version: '1',
        features: ['puppetdb'],
        login: { steadyMs: () => nowMs, onLogout: () => {} },
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: rbac.tokens.authenticate,
    authenticateSession: sessionAuthenticator(sessions, () => nowMs),
    answerHeaders: securityHeaders,
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});
afterEach(async () => {
  await http.drain(0);
  await database.close();
  rmSync(directory, { recursive: true });
});

const ownPage = { 'sec-fetch-site': 'same-origin' };
const ownScript = { ...ownPage, 'x-bunraku-console': '1', 'content-type': 'application/json' };

function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  return fetch(url + path, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
}

function logIn(
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = ownPage,
) {
  const form = new URLSearchParams({ login: 'ann', password, ...fields });
  return ask(
    'POST',
    '/auth/login',
    { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    `${form}`,
  );
}

async function newSession(): Promise<{ readonly cookie: string }> {
  const [cookie = ''] = (await logIn({})).headers.getSetCookie();
  return { cookie: cookie.split(';')[0] ?? '' };
}

test('a login answers with a cookie that scripts and other sites cannot read, and the page that was asked for', async () => {
  const answer = await logIn({ next: '/nodes?q=a#b' });

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/nodes?q=a#b');
  expect(answer.headers.getSetCookie()[0]).toMatch(
    /^__Host-bunraku=[\w-]{44}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
});

test.each(['https://elsewhere.test/', '//elsewhere.test', '/\\elsewhere.test', 'javascript:alert(1)', ''])(
  'a login does not lead to %s',
  async (next) => {
    expect((await logIn({ next })).headers.get('location')).toBe('/');
  },
);

test('a session says who it is, what the user may do and when it ends', async () => {
  const answer = await ask('GET', '/console-api/v1/session', await newSession());

  expect(await answer.json()).toMatchObject({
    user: { id: userId, login: 'ann', display_name: 'Ann', is_superuser: false },
    permissions: expect.arrayContaining([{ object_type: 'console_page', action: 'view', instance: '*' }]),
    ends: '2026-01-01T01:00:00.000Z',
    features: ['puppetdb'],
    version: '1',
  });
});

test('a request has no session without a cookie, with a made-up one, or with a token in its place', async () => {
  const token = await rbac.tokens.login({ login: 'ann', password }, {}, '');
  for (const cookie of ['', '__Host-bunraku=', `__Host-bunraku=${'x'.repeat(44)}`, `__Host-bunraku=${token}`])
    expect((await ask('GET', '/console-api/v1/session', { cookie })).status).toBe(401);
});

test('a session ends after an hour without use, and after twelve hours in any case', async () => {
  const session = await newSession();
  const isThere = async () => (await ask('GET', '/console-api/v1/session', session)).status === 200;
  nowMs += 59 * 60_000;
  expect(await isThere()).toBe(true);
  // Pages ask by themselves: that alone keeps no session alive.
  nowMs += 60_000;
  expect(await isThere()).toBe(false);

  const kept = await newSession();
  for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
    nowMs += 30 * 60_000;
    const touched = await ask('POST', '/console-api/v1/session/touch', { ...kept, ...ownScript }, '{}');
    expect(touched.status).toBe(200);
  }
  nowMs += 30 * 60_000;
  expect((await ask('GET', '/console-api/v1/session', kept)).status).toBe(401);
});

test('a session that was logged out has ended for a cookie that somebody has copied', async () => {
  const session = await newSession();

  const answer = await ask('POST', '/auth/logout', { ...session, ...ownScript });

  expect(answer.status).toBe(204);
  expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0');
  expect((await ask('GET', '/console-api/v1/session', session)).status).toBe(401);
});

test('who changes users has logged in within 15 minutes', async () => {
  await rbac.users.create({ login: 'eve', displayName: '', email: '', roleIds: [1] }, password, operator);
  const begin = async () => {
    const [cookie = ''] = (await logIn({ login: 'eve' })).headers.getSetCookie();
    return { cookie: cookie.split(';')[0] ?? '', ...ownScript };
  };
  const session = await begin();
  const create = (headers: Readonly<Record<string, string>>, login: string) => {
    const user = { login, email: '', display_name: '', role_ids: [], password };
    return ask('POST', '/rbac-api/v1/users', headers, JSON.stringify(user));
  };
  nowMs += 15 * 60_000;
  expect((await create(session, 'new1')).status).toBe(201);
  nowMs += 1000;

  const refused = await create(session, 'new2');

  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({ kind: 'bunraku.console/login-too-old' }),
  ]);
  expect((await ask('GET', '/rbac-api/v1/users', session)).status).toBe(200);
  const { cookie: _, ...noSession } = session;
  const token = await rbac.tokens.login({ login: 'eve', password }, {}, '');
  expect((await create({ ...noSession, 'x-authentication': token }, 'new3')).status).toBe(201);
  expect((await create(await begin(), 'new2')).status).toBe(201);
});

test('the one-time code has a field of its own', async () => {
  const session = { ...(await newSession()), ...ownScript };
  const own = '/rbac-api/v1/users/current/second-factor';
  const begun = await ask('POST', own, session, JSON.stringify({ current_password: password }));
  const { secret } = (await begun.json()) as { readonly secret: string };
  const code = () => oneTimeCode(secret, nowMs);
  expect((await ask('PUT', own, session, JSON.stringify({ one_time_code: code() }))).status).toBe(200);
  nowMs += 60_000;

  expect((await logIn({})).status).toBe(401);
  nowMs += 60_000;
  expect((await logIn({ code: ` ${code()} ` })).status).toBe(303);
});

test('a link lets a user set a new password, once', async () => {
  const token = await rbac.users.allowReset(userId, operator);
  const form = (fields: Readonly<Record<string, string>>) =>
    ask(
      'POST',
      '/auth/reset',
      { ...ownPage, 'content-type': 'application/x-www-form-urlencoded' },
      `${new URLSearchParams({ token, password: 'battery staple', repeated: 'battery staple', ...fields })}`,
    );

  expect(await (await ask('GET', `/auth/reset?token=${token}`)).text()).toContain(`|${token}`);
  expect((await form({ repeated: 'other' })).status).toBe(400);
  expect(await (await form({ password: 'short', repeated: 'short' })).text()).toContain('8 characters');
  const set = await form({});
  expect([set.status, set.headers.get('location')]).toEqual([303, '/login?reason=password-set']);
  expect((await logIn({ password: 'battery staple' })).status).toBe(303);
  expect((await form({})).status).toBe(403);
});

test('the list of tokens has those of users whom the caller may revoke, sessions among them', async () => {
  const session = await newSession();
  await rbac.tokens.login({ login: 'ann', password }, { label: 'laptop' }, '');
  const bob = await rbac.users.create(
    { login: 'bob', displayName: '', email: '', roleIds: [1] },
    password,
    operator,
  );
  await rbac.tokens.vouch(bob, { label: 'pipeline' }, operator);
  const admin = await rbac.tokens.login({ login: 'bob', password }, {}, '');
  const labels = async (headers: Readonly<Record<string, string>>, query = '') => {
    const { items } = (await (await ask('GET', `/rbac-api/v2/tokens${query}`, headers)).json()) as {
      readonly items: readonly { readonly label: string; readonly user: { readonly login: string } }[];
    };
    return items.map(({ label, user }) => `${user.login}:${label}`).sort();
  };

  expect(await labels(session)).toEqual(['ann:', 'ann:laptop']);
  expect(await labels({ 'x-authentication': admin })).toEqual(['ann:', 'ann:laptop', 'bob:', 'bob:pipeline']);
  expect(await labels({ 'x-authentication': admin }, '?filter=PIPE')).toEqual(['bob:pipeline']);
});

test('a new password ends all sessions, and no other token', async () => {
  const session = await newSession();
  const token = await rbac.tokens.login({ login: 'ann', password }, {}, '');
  const body = JSON.stringify({ current_password: password, password: 'battery staple' });

  const answer = await ask('PUT', '/rbac-api/v1/users/current/password', { ...session, ...ownScript }, body);

  expect(answer.status).toBeLessThan(300);
  expect((await ask('GET', '/console-api/v1/session', session)).status).toBe(401);
  expect((await ask('GET', '/console-api/v1/session', { 'x-authentication': token })).status).toBe(200);
});

test.each([
  ['another site', { ...ownScript, 'sec-fetch-site': 'cross-site' }],
  ['another host of the same site', { ...ownScript, 'sec-fetch-site': 'same-site' }],
  ['a form', { ...ownPage, 'x-bunraku-console': '1', 'content-type': 'text/plain' }],
  ['a page without our header', { ...ownPage, 'content-type': 'application/json' }],
  ['an old browser at another origin', { 'x-bunraku-console': '1', origin: 'https://elsewhere.test' }],
])('a change that %s sends with the cookie is refused', async (_, headers) => {
  const session = await newSession();

  const answer = await ask('POST', '/rbac-api/v1/tokens', { ...session, ...headers }, '{}');

  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ kind: 'bunraku.console/foreign-request' });
});

test('a change that our own page sends is carried out', async () => {
  const session = await newSession();

  const answer = await ask('POST', '/rbac-api/v1/tokens', { ...session, ...ownScript }, '{}');

  expect(answer.status).toBe(200);
});

test('a request with a token needs nothing that browsers send, and its cookie is ignored', async () => {
  const session = await newSession();
  const token = await rbac.tokens.login({ login: 'ann', password }, {}, '');

  expect(
    (await ask('POST', '/rbac-api/v1/tokens', { ...session, 'x-authentication': token }, '{}')).status,
  ).toBe(200);
  expect(
    (await ask('POST', '/rbac-api/v1/tokens', { ...session, 'x-authentication': 'no' }, '{}')).status,
  ).toBe(401);
});

test('a user whose roles do not have the console gets no session, and is told why', async () => {
  await rbac.users.create({ login: 'bob', displayName: 'Bob', email: '', roleIds: [4] }, password, operator);

  const answer = await logIn({ login: 'bob' });

  expect(answer.status).toBe(403);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await answer.text()).toContain('permission console_page:view');
});

test('a login form of another site is refused', async () => {
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.test' }])
    expect((await logIn({}, headers)).status).toBe(403);
});

test('a wrong login is told on the page in the same words for every reason, and shows no markup', async () => {
  const unknown = await logIn({ login: '<b>', next: '/"><script>' });
  const wrong = await logIn({ password: 'wrong' });

  expect([unknown.status, wrong.status]).toEqual([401, 401]);
  expect(await unknown.text()).toContain(
    '<p>The login or the password is incorrect|&lt;b&gt;|/%22%3E%3Cscript%3E|</p>',
  );
  expect(await wrong.text()).toContain('<p>The login or the password is incorrect|ann|/|</p>');
});

test('wrong passwords make the next attempt wait longer each time, also one with the right password', async () => {
  const waits: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    expect((await logIn({ password: 'wrong' })).status).toBe(401);
    const refused = await logIn({});
    expect(refused.status).toBe(429);
    waits.push(Number(refused.headers.get('retry-after')));
    nowMs += (waits.at(-1) ?? 0) * 1000;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);

  expect((await logIn({})).status).toBe(303);
  expect((await logIn({ password: 'wrong' })).status).toBe(401);
  nowMs += 1000;
  expect((await logIn({})).status).toBe(303);
});

test('the login page shows the text that the installation wants people to read', async () => {
  await rbac.store.setText('disclaimer', 'For <staff>', {
    object: { service: 'rbac', type: 'configuration', id: 'disclaimer', name: 'disclaimer' },
    events: [],
    author: { kind: 'certificate', id: 'operator', name: 'operator' },
    time: new Date(nowMs),
  });

  expect(await (await ask('GET', '/login?next=/nodes')).text()).toContain('|/nodes|For &lt;staff&gt;</p>');
});

test('a page runs nothing but our own files, and each answer has a nonce of its own', async () => {
  const [first, second] = [await ask('GET', '/nodes/web1.example.com?tab=facts'), await ask('GET', '/')];
  const policy = (answer: Response) => answer.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy(first))?.[1];

  expect(policy(first)).toContain("default-src 'none'; script-src 'self';");
  expect(await first.text()).toBe(`<!doctype html><title>Console</title>${nonce}`);
  expect(policy(second)).not.toContain(nonce);
  expect(first.headers.get('x-frame-options')).toBe('DENY');
  expect(first.headers.get('cache-control')).toBe('no-store');
});

test('files are sent as the browser takes them, and are kept by browsers where their names hold a digest', async () => {
  const coded = await ask('GET', '/assets/index-1.js', { 'accept-encoding': 'gzip, br' });
  const plain = await ask('GET', '/assets/index-1.js', { 'accept-encoding': 'identity' });
  const icon = await ask('GET', '/favicon.svg');

  expect([coded.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
    'br',
    null,
  ]);
  expect(await plain.text()).toBe('plain');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(icon.headers.get('cache-control')).toBe('no-cache');
});

test.each(['/assets/none.js', '/pdb/query/v4/nothing', '/console-api/v1/nothing', '/assets/index-1.js.br'])(
  '%s is not there, and no page either',
  async (path) => {
    expect((await ask('GET', path)).status).toBe(404);
  },
);

test('an answer of an API must not be kept, nor taken for something else', async () => {
  const { headers } = await ask('GET', '/console-api/v1/session', await newSession());

  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    'no-store',
    'nosniff',
  ]);
});
