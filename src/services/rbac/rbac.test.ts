/** `/rbac-api` as clients of Puppet Enterprise use it. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { directoryOptions } from '../../../test/support/directory-options.ts';
import { changeMigrations } from '../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, route, TrustedProxies } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  type Database,
  migrate,
  openDirectDatabase,
  openSqliteDatabase,
  sql,
} from '../../platform/storage/index.ts';
import { createRbac, type Rbac, RbacStore, rbacMigrations, rbacRoutes } from './index.ts';
import { type PasswordRules, usualPasswordRules } from './password-policy.ts';
import { codeAt } from './second-factor/one-time-code.ts';

const installed = backends.filter(({ isInstalled }) => isInstalled);
const operator = 'operator.test';
const adminId = '42bf351c-f9ec-40af-84ad-e976fec7f4bd';
const unknownId = '00000000-0000-4000-8000-00000000dead';
let directory: string;
let database: Database;
let rbac: Rbac;
let http: HttpServer;
let url: string;
let nowMs: number;
let passwordRules: { -readonly [K in keyof PasswordRules]: PasswordRules[K] };
let lines: string[];

const note = (fields: unknown, message: string): void =>
  void lines.push(`${JSON.stringify(fields)} ${message}`);
const log: Logger = {
  error: note,
  warn: note,
  info: note,
  debug: note,
  child: () => log,
  isWriting: () => true,
};

type Who = { readonly token: string } | { readonly certname: string } | 'anonymous';

const byCertificate = { certname: operator };

async function ask(method: string, path: string, who: Who, body?: unknown) {
  const headers: Record<string, string> = { 'x-client-verify': 'NONE' };
  if (who !== 'anonymous' && 'token' in who) headers['x-authentication'] = who.token;
  if (who !== 'anonymous' && 'certname' in who)
    Object.assign(headers, { 'x-client-verify': 'SUCCESS', 'x-client-dn': `CN=${who.certname}` });
  const answer = await fetch(url + (path.startsWith('/deploy') ? path : `/rbac-api${path}`), {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : text,
  };
}

/** @returns the path of the new user */
async function createUser(login: string, roleIds: readonly number[], password?: string): Promise<string> {
  const body = { login, email: '', display_name: login, role_ids: roleIds, password };
  const { location, status } = await ask('POST', '/v1/users', byCertificate, body);
  expect(status).toBe(201);
  return (location ?? '').replace('/rbac-api', '');
}

async function logIn(
  login: string,
  password: string,
  more: object = {},
): Promise<{ readonly token: string }> {
  const { body, status } = await ask('POST', '/v1/auth/token', 'anonymous', { login, password, ...more });
  expect(status).toBe(200);
  return body as unknown as { readonly token: string };
}

const failure = (status: number, kind: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ kind: `puppetlabs.rbac/${kind}` }) });

const password = 'correct horse';

describe.each(installed)('on $name', (backend) => {
  let running: RunningBackend;

  beforeAll(async () => {
    running = await backend.start();
  });

  afterAll(() => running.stop());

  beforeEach(async () => {
    nowMs = Date.parse('2026-01-01T00:00:00Z');
    passwordRules = { ...usualPasswordRules };
    lines = [];
    directory = mkdtempSync(join(tmpdir(), 'bunraku-rbac-'));
    const location = await running.createDatabase();
    database =
      location === undefined
        ? await openSqliteDatabase({ path: join(directory, 'database.sqlite') })
        : await openDirectDatabase(location, 'writer');
    await migrate(database, [...changeMigrations, ...rbacMigrations]);
    const ids = { next: 0 };
    rbac = createRbac({
      store: new RbacStore(database),
      log,
      now: () => new Date(nowMs),
      newId: () => `00000000-0000-4000-8000-${String((ids.next += 1)).padStart(12, '0')}`,
      tokenLifetimeSeconds: 3600,
      mostTokenLifetimeSeconds: 86_400,
      mostFailedLogins: 3,
      // Tests log in often.
      passwordCost: { N: 1024, r: 8, p: 1 },
      passwordRules,
      directories: directoryOptions(database),
    });
    const deploying = { objectType: 'environment', action: 'deploy_code', instance: 'production' };
    http = createHttpServer({
      routes: [
        ...checkedRoutes(rbacRoutes(rbac, { kind: 'certname', allows: (certname) => certname === operator })),
        route({
          method: 'GET',
          path: '/deploy',
          allow: { kind: 'permission', permission: deploying },
          handle: ({ query }) => ({ status: 200, body: `deployed${[...query.keys()].join('')}` }),
        }),
      ],
      authorization: { rules: [], allowHeaderCertInfo: true },
      trustedProxies: new TrustedProxies(['127.0.0.1', '::1']),
      authenticate: rbac.tokens.authenticate,
      log,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  });

  afterEach(async () => {
    await http.drain(1000);
    await database.close();
    rmSync(directory, { recursive: true });
  });

  describe('A user who logs in', () => {
    test('gets a token, which may do what the roles of the user allow, in the header or in the query', async () => {
      await createUser('ada', [4], password);

      const { token } = await logIn('ada', password);

      expect(token).toMatch(/^0[\w-]{43}$/);
      expect(await ask('GET', '/deploy', { token })).toMatchObject({ status: 200, body: 'deployed' });
      expect(await ask('GET', `/deploy?token=${token}`, 'anonymous')).toMatchObject({
        status: 200,
        body: 'deployed',
      });
      expect(await ask('GET', '/deploy', 'anonymous')).toEqual(failure(401, 'user-unauthenticated'));
      expect(await ask('GET', '/deploy', { token: 'guess' })).toEqual(failure(401, 'invalid-token'));
      expect(await ask('GET', '/deploy', byCertificate)).toEqual(failure(403, 'permission-denied'));
    });

    test('has lost with a role what it allowed, token or not', async () => {
      const path = await createUser('ada', [4], password);
      const ada = await logIn('ada', password);

      const user_id = path.split('/').at(-1);
      await ask('POST', '/v1/command/users/remove-roles', byCertificate, { user_id, role_ids: [4] });

      expect(await ask('GET', '/deploy', ada)).toEqual(failure(403, 'permission-denied'));
      await ask('POST', '/v1/command/users/add-roles', byCertificate, { user_id, role_ids: [2] });
      expect((await ask('GET', '/deploy', ada)).status).toBe(200);
    });

    test('is locked out by too many wrong passwords, and let in again by a new one', async () => {
      const path = await createUser('ada', [4], password);
      const logInWith = (text: string) =>
        ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password: text });

      const wrong = [await logInWith('wrong'), await logInWith('wrong')];
      expect((await logInWith(password)).status).toBe(200);
      for (const text of ['wrong', 'wronger', 'wrongest']) wrong.push(await logInWith(text));

      expect(wrong).toEqual(wrong.map(() => failure(401, 'user-unauthenticated')));
      expect(await logInWith(password)).toEqual(failure(401, 'user-revoked'));
      expect((await ask('GET', path, byCertificate)).body).toMatchObject({ is_revoked: true });
      const { body: token } = await ask('POST', `${path}/password/reset`, byCertificate);
      const reset = () => ask('POST', '/v1/auth/reset', 'anonymous', { token, password: 'another horse' });
      expect((await reset()).status).toBe(200);
      expect(await reset()).toEqual(failure(403, 'permission-denied'));
      expect((await logInWith('another horse')).status).toBe(200);
    });

    test('gains nothing by trying many passwords at once', async () => {
      await createUser('ada', [4], password);
      const guesses = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', password];

      const outcomes = await Promise.allSettled(
        guesses.map((guess) => rbac.tokens.login({ login: 'ada', password: guess }, {}, '192.0.2.1')),
      );

      // Which comes first is not said; the right one is let in before the third wrong one, or never.
      const attempts = lines.flatMap((line) => / (refused login|logged in)$/.exec(line)?.[1] ?? []);
      const place = attempts.indexOf('logged in');
      expect(place).toBeLessThan(3);
      expect(outcomes.at(-1)).toMatchObject(
        place < 0
          ? { status: 'rejected', reason: { kind: 'puppetlabs.rbac/user-revoked' } }
          : { status: 'fulfilled' },
      );
      for (const outcome of outcomes.slice(0, -1))
        expect(outcome).toMatchObject({ reason: { kind: 'puppetlabs.rbac/user-unauthenticated' } });
      expect(await ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password })).toEqual(
        failure(401, 'user-revoked'),
      );
    });

    test('of a token finds no password by trying many at once', async () => {
      await createUser('ada', [4], password);
      const ada = await logIn('ada', password);
      const change = (current_password: string) =>
        ask('PUT', '/v1/users/current/password', ada, { current_password, password: 'another horse' });

      const wrong = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six'].map(change));

      for (const { status } of wrong) expect([401, 403]).toContain(status);
      expect(
        (await ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password })).body,
      ).toMatchObject({
        kind: 'puppetlabs.rbac/user-revoked',
      });
    });

    test('learns nothing of which logins there are', async () => {
      await createUser('ada', [4], password);
      await createUser('pipeline', [4]);
      const answers = [];
      for (const login of ['ada', 'pipeline', 'anonymous', 'api_user'])
        answers.push(await ask('POST', '/v1/auth/token', 'anonymous', { login, password: 'wrong' }));

      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    });

    test('changes the own password with the current one', async () => {
      await createUser('ada', [], password);
      const ada = await logIn('ada', password);
      const change = (current_password: string, next: string) =>
        ask('PUT', '/v1/users/current/password', ada, { current_password, password: next });

      expect(await change('wrong', 'another horse')).toEqual(failure(403, 'permission-denied'));
      expect(await change(password, 'short')).toEqual(failure(400, 'invalid-password'));
      expect((await change(password, 'another horse')).status).toBe(200);
      expect((await ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password })).status).toBe(401);
      await logIn('ada', 'another horse');
      for (const wrong of ['a', 'b', 'c']) await change(wrong, 'another horse');
      expect(await change('another horse', password)).toEqual(failure(401, 'user-revoked'));
    });
  });

  describe('A token', () => {
    test('ends after its lifetime, which has a limit', async () => {
      await createUser('ada', [4], password);
      const [hour, minute, most] = [
        await logIn('ada', password),
        await logIn('ada', password, { lifetime: '1m' }),
        await logIn('ada', password, { lifetime: 0 }),
      ];
      const tooLong = { login: 'ada', password, lifetime: '1y' };

      expect(await ask('POST', '/v1/auth/token', 'anonymous', tooLong)).toEqual(
        failure(400, 'invalid-lifetime'),
      );
      nowMs += 60_000;
      expect(await ask('GET', '/deploy', minute)).toEqual(failure(401, 'token-expired'));
      expect((await ask('GET', '/deploy', hour)).status).toBe(200);
      nowMs += 3_540_000;
      expect(await ask('GET', '/deploy', hour)).toEqual(failure(401, 'token-expired'));
      expect((await ask('GET', '/deploy', most)).status).toBe(200);
    });

    test('tells whose it is, and when it was used last', async () => {
      await createUser('ada', [4], password);
      const { token } = await logIn('ada', password, { label: ' mine ', description: 'for tests' });
      nowMs += 120_000;
      await ask('GET', '/deploy', { token });

      const { body } = await ask('POST', '/v2/auth/token/authenticate', 'anonymous', {
        token,
        'update_last_activity?': false,
      });

      expect(body).toEqual({
        id: '00000000-0000-4000-8000-000000000001',
        user_id: '00000000-0000-4000-8000-000000000001',
        login: 'ada',
        display_name: 'ada',
        email: '',
        role_ids: [4],
        is_group: false,
        is_remote: false,
        is_revoked: false,
        is_superuser: false,
        last_login: '2026-01-01T00:00:00.000Z',
        creation: '2026-01-01T00:00:00.000Z',
        expiration: '2026-01-01T01:00:00.000Z',
        last_active: '2026-01-01T00:02:00.000Z',
        label: 'mine',
        description: 'for tests',
        client: null,
        timeout: null,
      });
    });

    test('has a label that no other of the user has, for as long as it counts', async () => {
      await createUser('ada', [4], password);
      const labelled = (label: string) =>
        ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password, label });

      expect((await labelled('mine')).status).toBe(200);
      expect(await labelled('mine')).toEqual(failure(409, 'conflict'));
      expect(await labelled('a,b')).toEqual(failure(400, 'invalid-label'));
      nowMs += 3_600_000;
      expect((await labelled('mine')).status).toBe(200);
    });

    test('is revoked by itself, its label, its ID or its user, each of them once or more', async () => {
      const path = await createUser('ada', [4], password);
      const [one, two, three, four] = [
        await logIn('ada', password),
        await logIn('ada', password, { label: 'two' }),
        await logIn('ada', password, { label: 'three' }),
        await logIn('ada', password),
      ];
      const { body: listed } = await ask('GET', `${path}/tokens`, four);
      const ids = (listed as unknown as { items: { id: string; label: string }[] }).items;
      const idOfThree = ids.find(({ label }) => label === 'three')?.id;

      for (const _ of [1, 2])
        expect((await ask('DELETE', `/v2/tokens/${one.token}`, byCertificate)).status).toBe(204);
      const body = { revoke_tokens_by_labels: ['two'] };
      expect((await ask('DELETE', `/v2/tokens?revoke_tokens_by_ids=${idOfThree}`, four, body)).status).toBe(
        204,
      );

      for (const token of [one, two, three])
        expect(await ask('GET', '/deploy', token)).toEqual(failure(401, 'token-revoked'));
      expect((await ask('GET', '/deploy', four)).status).toBe(200);
      expect((await ask('DELETE', '/v2/tokens?revoke_tokens_by_usernames=ada', four)).status).toBe(204);
      expect(await ask('GET', '/deploy', four)).toEqual(failure(401, 'token-revoked'));
    });

    test('is revoked as far as can be, with word of the rest', async () => {
      await createUser('ada', [4], password);
      await createUser('eve', [4], password);
      const [ada, eve] = [await logIn('ada', password), await logIn('eve', password)];

      const answer = await ask('DELETE', '/v2/tokens?surprise=1', eve, {
        revoke_tokens: [eve.token, 'half'],
        revoke_tokens_by_usernames: ['ada', 'ghost'],
      });

      expect(answer).toEqual({
        status: 403,
        location: null,
        body: {
          kind: 'puppetlabs.rbac/permission-denied',
          msg:
            'These are no tokens: 1. These users do not exist: ghost. You may not revoke the tokens of these users: ada. ' +
            'These parameters are not known: surprise. All other tokens were successfully revoked.',
          details: {
            malformed_tokens: ['half'],
            malformed_ids: [],
            malformed_labels: [],
            malformed_usernames: [],
            nonexistent_usernames: ['ghost'],
            permission_denied_usernames: ['ada'],
            unrecognized_parameters: ['surprise'],
            other_tokens_revoked: true,
          },
        },
      });
      expect((await ask('GET', '/deploy', ada)).status).toBe(200);
      expect((await ask('GET', '/deploy', eve)).status).toBe(401);
      expect(await ask('DELETE', '/v2/tokens', ada)).toEqual(failure(400, 'malformed-token-request'));
    });

    test('is given up by its bearer, without another proof', async () => {
      await createUser('ada', [4], password);
      const { token } = await logIn('ada', password);

      const { status } = await ask('DELETE', `/v2/tokens/${token}`, 'anonymous');

      expect(status).toBe(204);
      expect(await ask('GET', '/deploy', { token })).toEqual(failure(401, 'token-revoked'));
      expect(await ask('DELETE', '/v2/tokens/none', 'anonymous')).toEqual(
        failure(400, 'malformed-token-request'),
      );
    });

    test('ends with its user: revoked, or deleted', async () => {
      const [adaPath, evePath] = [
        await createUser('ada', [4], password),
        await createUser('eve', [4], password),
      ];
      const [ada, eve] = [await logIn('ada', password), await logIn('eve', password)];

      await ask('POST', '/v1/command/users/revoke', byCertificate, { user_id: adaPath.split('/').at(-1) });
      expect((await ask('DELETE', evePath, byCertificate)).status).toBe(204);

      expect((await ask('GET', '/deploy', ada)).status).toBe(401);
      expect(await ask('GET', '/deploy', eve)).toEqual(failure(401, 'invalid-token'));
      await ask('POST', '/v1/command/users/reinstate', byCertificate, { user_id: adaPath.split('/').at(-1) });
      expect(await ask('GET', '/deploy', ada)).toEqual(failure(401, 'token-revoked'));
      await logIn('ada', password);
    });

    test('is made for a user without a password by a user who may reset passwords', async () => {
      const pipeline = await createUser('pipeline', [4]);
      await createUser('eve', [4], password);
      const eve = await logIn('eve', password);

      const { body, status } = await ask('POST', `${pipeline}/tokens`, byCertificate, { lifetime: '1d' });

      expect(status).toBe(200);
      expect((await ask('GET', '/deploy', body as unknown as { token: string })).status).toBe(200);
      expect(await ask('POST', `${pipeline}/tokens`, eve, {})).toEqual(failure(403, 'permission-denied'));
      expect(await ask('GET', `${pipeline}/tokens`, eve)).toEqual(failure(403, 'permission-denied'));
      expect((await ask('POST', '/v1/tokens', eve, {})).status).toBe(200);
      expect(await ask('POST', '/v1/tokens', byCertificate, {})).toEqual(failure(403, 'permission-denied'));
    });
  });

  describe('Users', () => {
    test('are not deleted when they have changed since they were shown', async () => {
      const path = await createUser('ada', [2, 3], password);
      const { body: shown } = await ask('GET', path, byCertificate);
      await ask('PUT', path, byCertificate, {
        ...(shown as object),
        email: 'ada@example.com',
        role_ids: [3],
      });

      const refused = await ask('DELETE', path, byCertificate, shown);
      const { body: current } = await ask('GET', path, byCertificate);
      const removed = await ask('DELETE', path, byCertificate, current);

      expect(refused).toMatchObject({
        status: 409,
        body: { msg: 'The user ada has been changed meanwhile: email address, roles' },
      });
      expect(removed.status).toBe(204);
      expect(await ask('DELETE', path, byCertificate, {})).toEqual(failure(404, 'not-found'));
    });

    test('are shown as clients expect them, the one of certificates too', async () => {
      await createUser('ada', [2, 3], password);

      const { body } = await ask('GET', '/v1/users', byCertificate);
      const current = await ask('GET', '/v1/users/current', byCertificate);

      expect(body).toEqual([
        expect.objectContaining({
          id: 'af94921f-bd76-4b58-b5ce-e17c029a2790',
          login: 'api_user',
          role_ids: [1],
          is_superuser: true,
        }),
        {
          id: '00000000-0000-4000-8000-000000000001',
          login: 'ada',
          email: '',
          display_name: 'ada',
          role_ids: [2, 3],
          is_group: false,
          is_remote: false,
          is_superuser: false,
          is_revoked: false,
          last_login: null,
        },
        expect.objectContaining({ id: adminId, login: 'admin', is_superuser: true, role_ids: [1] }),
      ]);
      expect(current.body).toMatchObject({ login: 'api_user' });
      expect(await ask('GET', '/v1/users', 'anonymous')).toEqual(failure(401, 'user-unauthenticated'));
      expect(await ask('GET', '/v1/users', { certname: 'agent.test' })).toEqual(
        failure(403, 'permission-denied'),
      );
      expect(await ask('GET', `/v1/users/${unknownId}`, byCertificate)).toEqual(failure(404, 'not-found'));
    });

    test('are read in pages, ordered and filtered', async () => {
      await createUser('ada', [], password);
      await createUser('bob', [], password);

      const { body } = await ask('GET', '/v2/users?limit=1&offset=1&order=desc&filter=b', byCertificate);
      const wrong = await ask('GET', '/v2/users?order_by=shoe_size', byCertificate);

      // "Administrator" has no b; "bob" and "ABI" would.
      expect(body).toEqual({
        users: [],
        pagination: { limit: 1, offset: 1, order_by: 'login', order: 'desc', total: 1, filter: 'b' },
      });
      expect((await ask('GET', '/v2/users?filter=BO', byCertificate)).body).toMatchObject({
        users: [{ login: 'bob' }],
      });
      expect(wrong).toEqual(failure(400, 'invalid-query-parameter'));
    });

    test('include admin, who has no password at first and keeps name, roles and right to log in', async () => {
      const path = `/v1/users/${adminId}`;
      const role = { display_name: 'Helpdesk', description: '', user_ids: [] };
      const resetting = [{ object_type: 'users', action: 'reset_password', instance: '*' }];
      const { location } = await ask('POST', '/v1/roles', byCertificate, { ...role, permissions: resetting });
      await createUser('bob', [Number(location?.split('/').at(-1))], password);
      const bob = await logIn('bob', password);

      const byHelpdesk = await ask('POST', `${path}/password/reset`, bob);
      const { body: reset } = await ask('POST', `${path}/password/reset`, byCertificate);
      await ask('POST', '/v1/auth/reset', 'anonymous', { token: reset, password });
      const admin = await logIn('admin', password);

      expect(byHelpdesk).toEqual(failure(403, 'admin-user-immutable'));
      expect((await ask('GET', '/deploy', admin)).status).toBe(200);
      const refused = failure(403, 'admin-user-immutable');
      expect(await ask('DELETE', path, byCertificate)).toEqual(refused);
      expect(await ask('POST', '/v1/command/users/revoke', byCertificate, { user_id: adminId })).toEqual(
        refused,
      );
      const roles = { user_id: adminId, role_ids: [1] };
      expect(await ask('POST', '/v1/command/users/remove-roles', byCertificate, roles)).toEqual(refused);
      const members = { role_id: 1, user_ids: [adminId] };
      expect(await ask('POST', '/v1/command/roles/remove-users', byCertificate, members)).toEqual(refused);
    });

    test('are told what was wrong with a body, without the passwords in it', async () => {
      const { body } = await ask('POST', '/v1/users', byCertificate, { login: 7, password: 'hunter2' });

      expect(body).toMatchObject({
        details: { submitted: { login: 7, password: '[hidden]' }, schema: { type: 'object' } },
      });
      expect(JSON.stringify(body)).not.toContain('hunter2');
    });

    test('have logins of their own, and roles that there are', async () => {
      const path = await createUser('ada', [], password);
      const create = (body: object) =>
        ask('POST', '/v1/users', byCertificate, { email: '', display_name: '', role_ids: [], ...body });
      const { body } = await ask('GET', path, byCertificate);

      expect(await create({ login: 'ada' })).toEqual(failure(409, 'conflict'));
      expect(await create({ login: 'api_user' })).toEqual(failure(409, 'conflict'));
      expect(await create({ login: 'eve', role_ids: [99] })).toEqual(failure(422, 'invalid-associated-id'));
      expect(await create({ login: 'eve', password: 'short' })).toEqual(failure(400, 'invalid-password'));
      expect(await create({ login: '' })).toEqual(failure(400, 'schema-violation'));
      expect(await ask('POST', '/v1/users', byCertificate, '{')).toEqual(failure(400, 'malformed-request'));
      const changed = { ...(body as object), email: 'ada@example.com', role_ids: [3] };
      expect((await ask('PUT', path, byCertificate, changed)).body).toMatchObject({
        email: 'ada@example.com',
        role_ids: [3],
      });
      expect(await ask('PUT', path, byCertificate, { ...changed, id: unknownId })).toEqual(
        failure(400, 'inconsistent-id'),
      );
      const apiUser = '/v1/users/af94921f-bd76-4b58-b5ce-e17c029a2790';
      expect(await ask('DELETE', apiUser, byCertificate)).toEqual(failure(403, 'admin-user-immutable'));
      // PostgreSQL keeps no text with this character.
      const withNul = { login: 'a\0b', email: '', display_name: '', role_ids: [] };
      expect(await ask('POST', '/v1/users', byCertificate, withNul)).toEqual(
        failure(400, 'schema-violation'),
      );
      const attempt = { login: 'a\0b', password };
      expect(await ask('POST', '/v1/auth/token', 'anonymous', attempt)).toEqual(
        failure(400, 'schema-violation'),
      );
    });

    test('have what each of several commands at once gave or took', async () => {
      const path = await createUser('ada', [], password);
      const id = path.split('/').at(-1);
      const command = (name: string, more: object = {}) =>
        ask('POST', `/v1/command/users/${name}`, byCertificate, { user_id: id, ...more });

      const answers = await Promise.all([
        command('add-roles', { role_ids: [2] }),
        command('revoke'),
        command('add-roles', { role_ids: [3] }),
        command('add-roles', { role_ids: [4] }),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      const { body } = await ask('GET', path, byCertificate);
      expect(body).toMatchObject({ is_revoked: true });
      const { role_ids: roleIds } = body as { readonly role_ids: readonly number[] };
      expect(new Set(roleIds)).toEqual(new Set([2, 3, 4]));
    });

    test('change nothing that no role of theirs allows, not by a role that they make either', async () => {
      const path = await createUser('ada', [2], password);
      const ada = await logIn('ada', password);
      const { body: self } = await ask('GET', path, ada);
      const admin = { ...(self as object), role_ids: [1, 2] };
      const denied = failure(403, 'permission-denied');

      expect(await ask('PUT', path, ada, admin)).toEqual(denied);
      expect(await ask('POST', '/v1/users', ada, { login: 'x', role_ids: [1] })).toEqual(denied);
      expect(await ask('POST', `${path}/password/reset`, ada)).toEqual(denied);
      const role = (permissions: object[]) => ({ display_name: 'Mine', permissions, user_ids: [] });
      const created = await ask('POST', '/v1/roles', byCertificate, {
        ...role([
          { object_type: 'user_roles', action: 'create', instance: '*' },
          { object_type: 'environment', action: 'deploy_code', instance: 'testing' },
        ]),
        user_ids: [path.split('/').at(-1)],
      });
      expect(created).toMatchObject({ status: 201, location: '/rbac-api/v1/roles/5' });
      const more = { object_type: 'users', action: 'create', instance: '*' };
      expect(await ask('POST', '/v1/roles', ada, { ...role([more]), display_name: 'More' })).toEqual(denied);
      expect((await ask('POST', '/v1/roles', ada, { ...role([]), display_name: 'Less' })).status).toBe(201);
    });
  });

  describe('Roles', () => {
    test('are not deleted when they or their members have changed since they were shown', async () => {
      const member = (await createUser('ada', [], password)).split('/').at(-1);
      const permissions = [
        { object_type: 'environment', action: 'deploy_code', instance: 'testing' },
        { object_type: 'users', action: 'create', instance: '*' },
      ];
      const role = { display_name: 'Testers', description: '', permissions };
      const { location } = await ask('POST', '/v1/roles', byCertificate, role);
      const path = (location ?? '').replace('/rbac-api', '');
      const { body: shown } = await ask('GET', path, byCertificate);
      await ask('PUT', path, byCertificate, { ...role, description: 'Of staging', user_ids: [member] });

      const refused = await ask('DELETE', path, byCertificate, shown);
      const { body: current } = await ask('GET', path, byCertificate);
      const reordered = { ...(current as object), permissions: permissions.toReversed() };
      const removed = await ask('DELETE', path, byCertificate, reordered);

      expect(refused).toMatchObject({
        status: 409,
        body: { msg: 'The role Testers has been changed meanwhile: description, users' },
      });
      expect(removed.status).toBe(200);
    });

    test('are those of Puppet Enterprise, which stay as they are, and others', async () => {
      const path = await createUser('ada', [], password);
      const ada = await logIn('ada', password);
      const id = path.split('/').at(-1);
      const deployTesting = { object_type: 'environment', action: 'deploy_code', instance: 'testing' };
      const role = {
        display_name: 'Testers',
        description: null,
        permissions: [deployTesting],
        user_ids: [id],
      };

      const { location } = await ask('POST', '/v1/roles', byCertificate, role);
      const own = (location ?? '').replace('/rbac-api', '');

      const { body } = await ask('GET', '/v1/roles', ada);
      expect(body).toMatchObject([
        { id: 1, display_name: 'Administrators' },
        { id: 2, display_name: 'Operators' },
        { id: 3, display_name: 'Viewers' },
        { id: 4, display_name: 'Code Deployers', permissions: [{ ...deployTesting, instance: '*' }] },
        { id: 5, display_name: 'Testers', description: '', user_ids: [id], group_ids: [] },
      ]);
      expect((await ask('GET', '/v1/permitted/environment/deploy_code', ada)).body).toEqual(['testing']);
      expect(await ask('GET', '/deploy', ada)).toEqual(failure(403, 'permission-denied'));
      const wider = { ...role, permissions: [{ ...deployTesting, instance: 'production' }] };
      expect((await ask('PUT', own, byCertificate, wider)).status).toBe(200);
      expect((await ask('GET', '/deploy', ada)).status).toBe(200);
      expect((await ask('DELETE', own, byCertificate)).status).toBe(200);
      expect((await ask('GET', path, byCertificate)).body).toMatchObject({ role_ids: [] });
      expect(await ask('DELETE', '/v1/roles/1', byCertificate)).toEqual(
        failure(403, 'default-roles-immutable'),
      );
      expect(await ask('POST', '/v1/roles', byCertificate, { ...role, display_name: 'Viewers' })).toEqual(
        failure(409, 'conflict'),
      );
      const wrong = { ...role, permissions: [{ ...deployTesting, action: 'fly' }] };
      expect(await ask('POST', '/v1/roles', byCertificate, wrong)).toEqual(failure(400, 'schema-violation'));
    });

    test('let Operators run everything on nodes, and Viewers only see it', async () => {
      const permitted = async (roleId: number) => {
        const path = await createUser(`user${roleId}`, [roleId], password);
        const user = path.split('/').at(-1);
        const { body } = await ask('POST', '/v1/permitted', byCertificate, {
          token: user,
          permissions: [
            { object_type: 'orchestrator', action: 'view', instance: '*' },
            { object_type: 'puppet_agent', action: 'run', instance: '*' },
            { object_type: 'tasks', action: 'run', instance: 'package' },
            { object_type: 'plans', action: 'run', instance: 'facts' },
            { object_type: 'scheduled_jobs', action: 'delete', instance: '*' },
            { object_type: 'users', action: 'create', instance: '*' },
          ],
        });
        return body;
      };

      expect(await permitted(2)).toEqual([true, true, true, true, true, false]);
      expect(await permitted(3)).toEqual([true, false, false, false, false, false]);
    });

    test('change by commands, one part at a time', async () => {
      const path = await createUser('ada', [], password);
      const id = path.split('/').at(-1);
      const permission = { object_type: 'tasks', action: 'run', instance: 'package' };
      const role = { display_name: 'Runners', description: '', permissions: [], user_ids: [] };
      const { location } = await ask('POST', '/v1/roles', byCertificate, role);
      const roleId = Number(location?.split('/').at(-1));
      const command = async (name: string, part: object) =>
        (await ask('POST', `/v1/command/roles/${name}`, byCertificate, { role_id: roleId, ...part })).status;
      const now = async () => (await ask('GET', `/v1/roles/${roleId}`, byCertificate)).body;

      const added = [
        await command('add-users', { user_ids: [id] }),
        await command('add-permissions', { permissions: [permission] }),
        await command('add-permissions', { permissions: [permission] }),
        await command('add-user-groups', { group_ids: [] }),
      ];
      const withBoth = await now();
      const removed = [
        await command('remove-users', { user_ids: [id] }),
        await command('remove-permissions', { permissions: [permission] }),
        await command('add-user-groups', { group_ids: ['a'] }),
      ];

      expect(added).toEqual([204, 204, 204, 204]);
      expect(withBoth).toMatchObject({ user_ids: [id], permissions: [permission] });
      expect(removed).toEqual([204, 204, 422]);
      expect(await now()).toMatchObject({ user_ids: [], permissions: [] });
    });

    test('keep what an existing installation allows, also of services that do not run here', async () => {
      const names = ['orchestrator:view', 'console_page:view', 'node_groups:edit_child_rules', 'plans:run'];
      const permissions = names.map((name) => {
        const [object_type, action] = name.split(':');
        return { object_type, action, instance: '*' };
      });

      const role = { display_name: 'Taken over', description: '', permissions, user_ids: [] };
      const { status } = await ask('POST', '/v1/roles', byCertificate, role);

      expect(status).toBe(201);
    });

    test('get members by their own list, the ones that stay as they are too', async () => {
      const path = await createUser('ada', [], password);
      const { body } = await ask('GET', '/v1/roles/3', byCertificate);

      const user_ids = [path.split('/').at(-1)];
      expect((await ask('PUT', '/v1/roles/3', byCertificate, { ...(body as object), user_ids })).status).toBe(
        200,
      );

      expect((await ask('GET', path, byCertificate)).body).toMatchObject({ role_ids: [3] });
    });

    test('answer whether they permit something', async () => {
      const path = await createUser('ada', [4], password);

      const { body } = await ask('POST', '/v1/permitted', byCertificate, {
        token: path.split('/').at(-1),
        permissions: [
          { object_type: 'environment', action: 'deploy_code', instance: 'production' },
          { object_type: 'users', action: 'disable', instance: '1' },
        ],
      });

      expect(body).toEqual([true, false]);
      expect(await ask('GET', '/v1/permitted/environment/fly', byCertificate)).toEqual(
        failure(404, 'not-found'),
      );
      const { body: types } = await ask('GET', '/v1/types', byCertificate);
      expect(types).toContainEqual(
        expect.objectContaining({
          object_type: 'environment',
          actions: [expect.objectContaining({ name: 'deploy_code', has_instances: true })],
        }),
      );
    });
  });

  test('a login page learns the rules and the disclaimer', async () => {
    const set = '/v1/command/config/set-disclaimer';
    await createUser('ada', [3], password);
    const ada = await logIn('ada', password);

    const none = await ask('GET', '/v1/config/disclaimer', 'anonymous');
    const refused = await ask('POST', set, ada, { disclaimer: 'Keep out' });
    await ask('POST', set, byCertificate, { disclaimer: 'Authorised use only' });
    const shown = await ask('GET', '/v1/config/disclaimer', 'anonymous');
    await ask('POST', '/v1/command/config/remove-disclaimer', byCertificate);

    expect(none).toEqual(failure(404, 'not-found'));
    expect(refused).toEqual(failure(403, 'permission-denied'));
    expect(shown.body).toEqual({ disclaimer: 'Authorised use only' });
    expect(await ask('GET', '/v1/config/disclaimer', 'anonymous')).toEqual(failure(404, 'not-found'));
    const validate = (name: string, body: object) =>
      ask('POST', `/v1/command/validate-${name}`, byCertificate, body);
    expect((await validate('password', { password: '' })).body).toEqual({
      valid: false,
      failures: [
        {
          'rule-identifier': 'password-minimum-length',
          'friendly-error': 'The password must have 8 characters at least.',
        },
      ],
    });
    expect((await validate('password', { password })).body).toEqual({ valid: true, failures: [] });
    expect((await validate('login', { login: 'ada' })).body).toEqual({ valid: true, failures: [] });
  });

  test('new passwords follow the rules, and none of the last three comes again', async () => {
    const path = await createUser('ada', [], password);
    const reset = async (next: string) => {
      const token = (await ask('POST', `${path}/password/reset`, byCertificate)).body;
      const valid = (
        await ask('POST', '/v1/command/validate-password', 'anonymous', {
          password: next,
          reset_token: token,
        })
      ).body as Record<string, unknown>;
      nowMs += 1000;
      const { body, status } = await ask('POST', '/v1/auth/reset', 'anonymous', { token, password: next });
      expect(valid['valid']).toBe(status === 200);
      const failures = (body as { details?: { failures?: { 'rule-identifier': string }[] } }).details
        ?.failures;
      return failures?.map((each) => each['rule-identifier']) ?? status;
    };

    passwordRules.previous = 3;
    // The one that the user was made with counts, too.
    expect(await reset(password)).toEqual(['number-of-previous-passwords']);
    passwordRules.numbers = 1;
    expect(await reset('none')).toEqual(['password-minimum-length', 'numbers-required']);
    for (const number of [1, 2, 3]) expect(await reset(`password ${number}`)).toBe(200);
    expect(await reset('password 1')).toEqual(['number-of-previous-passwords']);
    expect(await reset('password 3')).toEqual(['number-of-previous-passwords']);
    expect(await reset('password 4')).toBe(200);
    expect(await reset('password 1')).toBe(200);
    await ask('DELETE', path, byCertificate);
    expect(await database.read(sql`select user_id from rbac_passwords`)).toEqual([]);
  });

  test('a new password must be set in time', async () => {
    const path = await createUser('ada', [], password);
    const token = (await ask('POST', `${path}/password/reset`, byCertificate)).body;
    nowMs += 24 * 3600 * 1000;

    expect(await ask('POST', '/v1/auth/reset', 'anonymous', { token, password })).toEqual(
      failure(403, 'permission-denied'),
    );
  });

  describe('A second factor', () => {
    const own = '/v1/users/current/second-factor';
    const attempt = (more: object) =>
      ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password, ...more });
    const secretOf = (uri: unknown) => {
      const text = new URL(String(uri)).searchParams.get('secret') ?? '';
      const bits = Array.from(text, (each) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
      );
      return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
    };

    /** Turns one on for a new user. */
    async function enrol(roleIds: readonly number[] = []) {
      const path = await createUser('ada', roleIds, password);
      const who = await logIn('ada', password);
      const begun = (await ask('POST', own, who, { current_password: password })).body as Record<
        string,
        unknown
      >;
      const secret = secretOf(begun['uri']);
      const code = () => codeAt(secret, nowMs);
      const confirmed = await ask('PUT', own, who, { one_time_code: code() });
      const recovery = (confirmed.body as Record<string, unknown>)['recovery_codes'] as string[];
      nowMs += 30_000;
      return { path, who, code, recovery, begun };
    }

    test('is asked for from its first code on, beside the password or behind it', async () => {
      const path = await createUser('ada', [], password);
      const who = await logIn('ada', password);
      expect(await ask('POST', own, who, { current_password: 'wrong' })).toEqual(
        failure(403, 'permission-denied'),
      );
      const begun = (await ask('POST', own, who, { current_password: password })).body as Record<
        string,
        unknown
      >;
      const secret = secretOf(begun['uri']);
      expect(begun['uri']).toContain('otpauth://totp/Bunraku:ada?');
      expect((await ask('GET', own, who)).body).toEqual({ enabled: false, recovery_codes_left: 0 });
      expect((await attempt({})).status).toBe(200);
      expect(await ask('PUT', own, who, { one_time_code: '000000' })).toEqual(
        failure(403, 'permission-denied'),
      );

      const confirmed = await ask('PUT', own, who, { one_time_code: codeAt(secret, nowMs) });

      expect(confirmed.body).toEqual({
        recovery_codes: Array(10).fill(expect.stringMatching(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/)),
      });
      expect((await ask('GET', `${path}/second-factor`, byCertificate)).body).toEqual({
        enabled: true,
        recovery_codes_left: 10,
      });
      expect(await ask('POST', own, who, { current_password: password })).toEqual(failure(409, 'conflict'));
      expect(await attempt({})).toEqual(failure(401, 'second-factor-required'));
      expect(await attempt({ password: 'wrong' })).toEqual(failure(401, 'user-unauthenticated'));
      nowMs += 30_000;
      expect((await attempt({ one_time_code: codeAt(secret, nowMs) })).status).toBe(200);
      nowMs += 30_000;
      expect((await attempt({ password: password + codeAt(secret, nowMs) })).status).toBe(200);
    });

    test('takes each code once, also of many that come at once', async () => {
      const { code } = await enrol();

      const outcomes = await Promise.all([1, 2, 3].map(() => attempt({ one_time_code: code() })));

      expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    });

    test('locks out who guesses codes with the right password', async () => {
      const { code } = await enrol();
      for (const guess of ['111111', '222222', '333333'])
        expect(await attempt({ one_time_code: guess })).toEqual(failure(401, 'user-unauthenticated'));

      expect(await attempt({ one_time_code: code() })).toEqual(failure(401, 'user-revoked'));
    });

    test('is replaced by recovery codes, each of them once', async () => {
      const { path, recovery } = await enrol();
      const [first = '', second = ''] = recovery;

      expect((await attempt({ one_time_code: first.toLowerCase().replace('-', '') })).status).toBe(200);
      expect(await attempt({ one_time_code: first })).toEqual(failure(401, 'user-unauthenticated'));
      expect((await attempt({ password: password + second })).status).toBe(200);
      expect((await ask('GET', `${path}/second-factor`, byCertificate)).body).toMatchObject({
        recovery_codes_left: 8,
      });
    });

    test('does not take the end of a password for a code', async () => {
      const path = await createUser('ada', [], 'password 123456');
      const who = await logIn('ada', 'password 123456');
      const { body } = await ask('POST', own, who, { current_password: 'password 123456' });
      const secret = secretOf((body as Record<string, unknown>)['uri']);
      await ask('PUT', own, who, { one_time_code: codeAt(secret, nowMs) });
      nowMs += 30_000;

      expect(await attempt({ password: 'password 123456' })).toEqual(failure(401, 'second-factor-required'));
      expect((await attempt({ password: `password 123456${codeAt(secret, nowMs)}` })).status).toBe(200);
      expect((await ask('GET', path, byCertificate)).body).toMatchObject({ is_revoked: false });
    });

    test('is removed with the password and a code, or by an operator', async () => {
      const { code, path, who } = await enrol();
      const mine = `${path}/second-factor`;

      expect(await ask('DELETE', own, who, { current_password: password })).toEqual(
        failure(403, 'permission-denied'),
      );
      expect(await ask('DELETE', own, who, { one_time_code: code() })).toEqual(
        failure(403, 'permission-denied'),
      );
      expect(await ask('DELETE', mine, who)).toEqual(failure(403, 'permission-denied'));
      expect(
        (await ask('DELETE', own, who, { current_password: password, one_time_code: code() })).status,
      ).toBe(204);
      expect((await attempt({})).status).toBe(200);
      expect(await ask('DELETE', mine, byCertificate)).toEqual(failure(404, 'not-found'));
      await ask('POST', own, who, { current_password: password });
      expect((await ask('DELETE', mine, byCertificate)).status).toBe(204);
    });

    test('of others is for those who may reset passwords, and of admin for superusers', async () => {
      const { path } = await enrol();
      await createUser('bob', [1], password);
      await createUser('eve', [2], password);
      const [bob, eve] = [await logIn('bob', password), await logIn('eve', password)];
      const factor = `${path}/second-factor`;

      expect(await ask('GET', factor, eve)).toEqual(failure(403, 'permission-denied'));
      expect(await ask('DELETE', factor, eve)).toEqual(failure(403, 'permission-denied'));
      expect(await ask('DELETE', `/v1/users/${adminId}/second-factor`, bob)).toEqual(
        failure(403, 'admin-user-immutable'),
      );
      expect((await ask('DELETE', factor, bob)).status).toBe(204);
    });

    test('is kept encrypted, and goes with its user', async () => {
      const { begun, path, recovery } = await enrol();
      const [row] = await database.read(sql`select secret, recovery_digests from rbac_second_factors`);

      expect(JSON.stringify(row)).not.toContain(String(begun['secret']));
      for (const code of recovery) expect(JSON.stringify(row)).not.toContain(code);
      for (const text of [...recovery, String(begun['secret'])]) expect(lines.join('\n')).not.toContain(text);
      await ask('DELETE', path, byCertificate);
      expect(await database.read(sql`select user_id from rbac_second_factors`)).toEqual([]);
    });
  });

  test('user groups are an empty list until a directory is connected', async () => {
    expect((await ask('GET', '/v1/groups', byCertificate)).body).toEqual([]);
    expect((await ask('GET', '/v2/groups', byCertificate)).body).toMatchObject({
      groups: [],
      pagination: { total: 0 },
    });
    expect(await ask('POST', '/v1/groups', byCertificate, { login: 'ops' })).toEqual(
      failure(400, 'directory-not-configured'),
    );
  });

  test('whatever changes is recorded with who did it, how and from where', async () => {
    const path = await createUser('ada', [4], password);
    const id = path.split('/').at(-1);
    const { token } = await logIn('ada', password, { label: 'laptop' });
    await ask('PUT', path, byCertificate, {
      ...((await ask('GET', path, byCertificate)).body as object),
      email: 'ada@example.test',
      role_ids: [2],
    });
    const { location } = await ask('POST', '/v1/roles', byCertificate, {
      display_name: 'Deployers',
      description: '',
      permissions: [{ object_type: 'environment', action: 'deploy_code', instance: 'production' }],
      user_ids: [id],
    });
    await ask('DELETE', String(location).replace('/rbac-api', ''), byCertificate);
    await ask('DELETE', '/v2/tokens?revoke_tokens_by_labels=laptop', { token });
    await ask('POST', '/v1/command/users/revoke', byCertificate, { user_id: id });
    await ask('DELETE', path, byCertificate);

    const rows = await database.read(
      sql`select author_kind, author_name, address, events from changes order by id`,
    );
    const told = rows.flatMap(({ author_kind: kind, author_name: name, events }) =>
      (JSON.parse(String(events)) as readonly { readonly message: string }[]).map(
        ({ message }) => `${String(kind)} ${String(name)}: ${message}`,
      ),
    );
    expect(told).toEqual([
      `certificate ${operator}: Created the user ada`,
      `certificate ${operator}: Gave the user ada the role "Code Deployers"`,
      'user ada: The user ada logged in',
      'user ada: Created the token "laptop" of the user ada',
      `certificate ${operator}: Changed the email address of the user ada from "" to "ada@example.test"`,
      `certificate ${operator}: Gave the user ada the role "Operators"`,
      `certificate ${operator}: Took the role "Code Deployers" from the user ada`,
      `certificate ${operator}: Created the role "Deployers"`,
      `certificate ${operator}: Gave the user ada the role "Deployers"`,
      `certificate ${operator}: Deleted the role "Deployers"`,
      `certificate ${operator}: Took the role "Deployers" from the user ada`,
      'user ada: Revoked the token "laptop" of the user ada',
      `certificate ${operator}: Revoked the user ada`,
      `certificate ${operator}: Deleted the user ada`,
    ]);
    for (const { address } of rows) expect(address).toMatch(/^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/);
  });

  test('neither the database nor the log holds a password or a token', async () => {
    const path = await createUser('ada', [4], password);
    const { token } = await logIn('ada', password);
    await ask('GET', `/deploy?token=${token}`, 'anonymous');
    const { body: reset } = await ask('POST', `${path}/password/reset`, byCertificate);
    await ask('POST', '/v1/auth/token', 'anonymous', { login: 'ada', password: [password] });
    await ask('DELETE', `/v2/tokens/${token}`, byCertificate);

    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    files.push(JSON.stringify(await database.read(sql`select * from rbac_users`)));
    files.push(JSON.stringify(await database.read(sql`select * from rbac_tokens`)));
    files.push(JSON.stringify(await database.read(sql`select * from changes`)));
    expect(files.join('\n')).toContain('ada');
    for (const secret of [password, token, String(reset)])
      for (const text of [...files, ...lines]) expect(text).not.toContain(secret);
    expect(lines.join('\n')).toContain('/rbac-api/v2/tokens/:token');
  });
});
