/** Logins by a real OpenID provider, through the routes that browsers and administrators use, and the attacks on them. */

import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { RunningConsole, sessionOf } from '../../../test/support/running-console.ts';
import { openIdClient, RunningOpenIdProvider } from '../../../test/support/running-openid-provider.ts';
import { sql } from '../../platform/storage/index.ts';

const consoleUser = 3;
const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed)('Logins by an OpenID provider, on $name', (backend) => {
  /** What no database decides is tried on one of them. */
  const isFirst = backend === installed[0];

  let running: RunningBackend;
  let provider: RunningOpenIdProvider;
  let server: RunningConsole;
  let url: string;
  let id: string;

  beforeAll(async () => {
    running = await backend.start();
    provider = await RunningOpenIdProvider.start();
    server = await RunningConsole.start(running);
    ({ url } = server);
    provider.client = {
      callback: `https://${server.host}/auth/oidc/company/callback`,
      logout: `${url}/auth/oidc/company/logout`,
    };
    provider.renew();
  });

  afterAll(async () => {
    await server.stop();
    await provider.stop();
    await running.stop();
  });

  beforeEach(async () => {
    await server.reset();
    provider.person = { subject: 'subject-of-ann', claims: claimsOf('ann', ['ops']) };
    provider.tamper = () => undefined;
    for (const each of await server.rbac.providers.all())
      await ask('POST', '/v1/command/oidc/delete', { id: each.id });
    const { body } = await ask('POST', '/v1/command/oidc/create', settings());
    id = String((body as { readonly id: string }).id);
    await importGroup('ops', [consoleUser]);
  });

  const ask = (...asked: Parameters<RunningConsole['ask']>) => server.ask(...asked);
  const userOf = (login: string) => server.userOf(login);
  const session = (cookie: string) => server.session(cookie);
  const recorded = () => server.recorded();
  /** As a browser that follows the link of the login page, up to where the provider sends it back. */
  const begin = (next = '/nodes?a=b') => server.begin('company', next);

  const claimsOf = (login: string, groups: readonly string[]) => ({
    preferred_username: login,
    name: `${login} of the company`,
    email: `${login}@example.com`,
    groups,
  });

  const settings = (changes: object = {}) => ({
    name: 'company',
    display_name: 'The <Company>',
    issuer: provider.issuer,
    client_id: openIdClient.id,
    client_secret: openIdClient.secret,
    ...changes,
  });

  const importGroup = (login: string, role_ids: readonly number[]) =>
    ask('POST', '/v1/command/groups/create', { login, role_ids, identity_provider_id: id });

  const comeBack = (target: string, cookie: string) =>
    fetch(target.replace('https:', 'http:'), { redirect: 'manual', headers: { cookie } });

  /** @returns the answer on the way back, and what the browser shows from then on */
  async function logIn() {
    const { cookie, location } = await begin();
    const answer = await comeBack(await provider.logIn(location), cookie);
    return { answer, session: sessionOf(answer) };
  }

  const bodyOf = (context: { body: unknown }) => context.body as Record<string, unknown>;
  /** Changes what the provider says in the ID token, and signs it as the provider does. */
  const tamperClaims = (changes: object, header: object = {}, key?: Parameters<typeof provider.sign>[2]) => {
    provider.tamper = (context) => {
      if (context.path !== '/token') return;
      const claims = decoded(bodyOf(context)['id_token']);
      context.body = { ...bodyOf(context), id_token: provider.sign({ ...claims, ...changes }, header, key) };
    };
  };
  const decoded = (token: unknown) =>
    JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;

  test('the login page has a link, by which a person becomes a user with the roles of the groups', async () => {
    const login = await (await fetch(`${url}/login?next=/nodes`)).text();
    expect(login).toContain(
      '<nav><a href="/auth/sso/company?next=%2Fnodes">Log in with The &lt;Company&gt;</a></nav>',
    );

    const { answer, session: cookie } = await logIn();

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/nodes?a=b');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-bunraku=[\w-]{44}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
      '__Host-bunraku-login=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    expect(await session(cookie)).toMatchObject({
      user: { login: 'ann', display_name: 'ann of the company' },
    });
    expect(await userOf('ann')).toMatchObject({
      is_remote: true,
      email: 'ann@example.com',
      identity_provider_id: id,
      inherited_role_ids: [consoleUser],
    });
  });

  test('a person without a role for the console gets no session, and no more than a group says', async () => {
    provider.person = { subject: 'subject-of-bob', claims: claimsOf('bob', ['others']) };

    const { answer, session: cookie } = await logIn();

    expect(answer.status).toBe(403);
    expect(cookie).toBe('');
    expect(await answer.text()).toContain('permission console_page:view');
    expect(await userOf('bob')).toMatchObject({ role_ids: [], inherited_role_ids: [] });
  });

  test('roles follow the groups at each login, and the record says so', async () => {
    await logIn();
    await importGroup('auditors', [4]);
    provider.person = { subject: 'subject-of-ann', claims: claimsOf('ann', ['auditors']) };

    expect((await logIn()).answer.status).toBe(403);

    expect(await userOf('ann')).toMatchObject({ inherited_role_ids: [4] });
    expect(await recorded()).toContain('The <Company> no longer has the user ann in the user group ops');
    expect(await recorded()).toContain('The user ann logged in by The <Company>');
  });

  test('keys that the provider has changed count at once', async () => {
    await logIn();
    provider.renew();

    expect((await logIn()).answer.status).toBe(303);
  });

  // What is decided without a database is tried with one.
  if (isFirst)
    describe('An answer is refused', () => {
      const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60;

      test.each([
        ['signed by another key', () => tamperClaims({}, {}, stranger)],
        ['for another client', () => tamperClaims({ aud: 'other' })],
        ['of another provider', () => tamperClaims({ iss: 'https://elsewhere.test' })],
        ['that has expired', () => tamperClaims({ exp: minutes(-5), iat: minutes(-10) })],
        ['of another login', () => tamperClaims({ nonce: 'another' })],
        ['without a nonce', () => tamperClaims({ nonce: undefined })],
        ['for a party beside us', () => tamperClaims({ aud: [openIdClient.id, 'other'], azp: 'other' })],
      ])('with an ID token %s', async (_, tamper) => {
        tamper();

        const { answer, session: cookie } = await logIn();

        expect(answer.status).toBe(401);
        expect(cookie).toBe('');
        expect(await answer.text()).toContain('The login by The &lt;Company&gt; did not succeed');
        expect(await userOf('ann')).toBeUndefined();
      });

      test('with an ID token that a text of ours signs, or nothing', async () => {
        for (const algorithm of ['HS256', 'none']) {
          provider.tamper = (context) => {
            if (context.path !== '/token') return;
            const [, claims = ''] = String(bodyOf(context)['id_token']).split('.');
            const header = Buffer.from(JSON.stringify({ alg: algorithm })).toString('base64url');
            const key = createHmac('sha256', openIdClient.secret).update(`${header}.${claims}`);
            const signature = algorithm === 'none' ? '' : key.digest('base64url');
            context.body = { ...bodyOf(context), id_token: `${header}.${claims}.${signature}` };
          };

          expect((await logIn()).answer.status).toBe(401);
        }
      });

      test('with more about another person', async () => {
        provider.tamper = (context) => {
          if (context.path === '/me') context.body = { ...bodyOf(context), sub: 'another' };
        };

        expect((await logIn()).answer.status).toBe(401);
      });

      test('in a browser that began no login, or another one, or with another state', async () => {
        const first = await begin();
        const second = await begin();
        const target = await provider.logIn(first.location);

        expect((await comeBack(target, '')).status).toBe(401);
        expect((await comeBack(target, '__Host-bunraku-login=made-up')).status).toBe(401);
        expect((await comeBack(target, second.cookie)).status).toBe(401);
        expect((await comeBack(target.replace(/state=[^&]+/, 'state=x'), first.cookie)).status).toBe(401);
      });

      test('that comes twice, without asking the provider', async () => {
        const { cookie, location } = await begin();
        const target = await provider.logIn(location);
        expect((await comeBack(target, cookie)).status).toBe(303);
        const before = provider.asked.length;

        expect((await comeBack(target, cookie)).status).toBe(401);

        expect(provider.asked.slice(before)).toEqual([]);
      });

      test('that comes too late', async () => {
        const { cookie, location } = await begin();
        const target = await provider.logIn(location);
        server.nowMs += 10 * 60_000;

        expect((await comeBack(target, cookie)).status).toBe(401);
      });

      test('of another provider here', async () => {
        await ask('POST', '/v1/command/oidc/create', settings({ name: 'other', display_name: 'Other' }));
        const { cookie, location } = await begin();
        const target = await provider.logIn(location);

        const before = provider.asked.length;

        expect((await comeBack(target.replace('/company/', '/other/'), cookie)).status).toBe(401);
        expect(provider.asked.slice(before)).toEqual([]);
      });

      test('in which the provider refuses', async () => {
        const { cookie, location } = await begin();
        const state = new URL(location).searchParams.get('state') ?? '';
        const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });

        const answer = await comeBack(`${url}/auth/oidc/company/callback?${query}`, cookie);

        expect(answer.status).toBe(401);
        expect(await answer.text()).toContain('did not succeed');
      });

      test('without the login that is configured', async () => {
        provider.person = {
          subject: 'subject-of-ann',
          claims: { ...claimsOf('ann', []), preferred_username: '' },
        };

        expect((await logIn()).answer.status).toBe(401);
      });
    });

  if (isFirst)
    describe('A login of', () => {
      test.each(['admin', 'ann', 'ANN'])('the local user %s is never taken over', async (login) => {
        const password = 'correct horse';
        await ask('POST', '/v1/users', { login: 'ann', email: 'ann@example.com', password, role_ids: [1] });
        provider.person = { subject: 'subject-of-ann', claims: claimsOf(login, ['ops']) };

        const { answer, session: cookie } = await logIn();

        expect(answer.status).toBe(401);
        expect(cookie).toBe('');
        expect(await answer.text()).toContain(`There is a user ${login} already`);
        expect(await userOf('ann')).toMatchObject({ is_remote: false, role_ids: [1] });
      });

      test('a person belongs to the subject, and not to another one who has it by now', async () => {
        await logIn();
        provider.person = { subject: 'another', claims: claimsOf('ann', ['ops']) };

        expect((await logIn()).answer.status).toBe(401);
      });

      test('a person may change, and the user keeps roles of its own', async () => {
        await logIn();
        const before = await userOf('ann');
        await ask('POST', '/v1/command/users/add-roles', { user_id: before?.['id'], role_ids: [2] });
        provider.person = { subject: 'subject-of-ann', claims: claimsOf('anna', ['ops']) };

        expect((await logIn()).answer.status).toBe(303);

        expect(await userOf('anna')).toMatchObject({ id: before?.['id'], role_ids: [2] });
        expect(await userOf('ann')).toBeUndefined();
      });

      test('a person has no password here', async () => {
        await logIn();

        for (const password of ['', 'x'])
          expect((await ask('POST', '/v1/auth/token', { login: 'ann', password })).status).toBeGreaterThan(
            399,
          );
        const user = await userOf('ann');
        expect((await ask('POST', `/v1/users/${user?.['id']}/password/reset`)).status).toBe(403);
      });

      test('a user who is revoked ends here', async () => {
        const { session: cookie } = await logIn();
        const user = await userOf('ann');
        expect((await ask('POST', '/v1/command/users/revoke', { user_id: user?.['id'] })).status).toBe(204);

        expect((await logIn()).answer.status).toBe(401);
        expect(await session(cookie)).toMatchObject({ kind: expect.stringContaining('unauthenticated') });
      });

      test('a person counts for tokens for 30 days', async () => {
        await logIn();
        const user = await userOf('ann');
        const { body } = await ask('POST', `/v1/users/${user?.['id']}/tokens`, { lifetime: '90d' });
        const { token } = body as { readonly token: string };
        const statusOf = async () =>
          (await fetch(`${url}/rbac-api/v1/users/current`, { headers: { 'x-authentication': token } }))
            .status;
        server.nowMs += 29 * 24 * 3600_000;
        expect(await statusOf()).toBe(200);

        server.nowMs += 24 * 3600_000;
        expect(await statusOf()).toBe(401);
      });
    });

  describe('A session that ends at the provider', () => {
    const isThere = async (cookie: string) => 'user' in ((await session(cookie)) as object);
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const usual = (changes: object = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, exp: now + 120 };
      const claims = { iss: provider.issuer, aud: openIdClient.id, sub: 'subject-of-ann', events: event };
      return { ...claims, jti: randomUUID(), ...times, ...changes };
    };
    const send = async (token: string) =>
      (
        await fetch(provider.client.logout, {
          method: 'POST',
          body: new URLSearchParams({ logout_token: token }),
        })
      ).status;

    test('ends here, and no other does', async () => {
      const sessionIds: string[] = [];
      provider.tamper = (context) => {
        if (context.path === '/token') sessionIds.push(String(decoded(bodyOf(context)['id_token'])['sid']));
      };
      const [one, other] = [await logIn(), await logIn()];
      expect(new Set(sessionIds).size).toBe(2);

      await provider.endSession('subject-of-ann', sessionIds[0] ?? '');

      expect([await isThere(one.session), await isThere(other.session)]).toEqual([false, true]);
      expect(await recorded()).toContain('The <Company> ended the sessions of the user ann');
    });

    test('ends with all of the person where the provider names none, and tokens stay', async () => {
      const [one, other] = [await logIn(), await logIn()];
      const user = await userOf('ann');
      const { body } = await ask('POST', `/v1/users/${user?.['id']}/tokens`, {});
      provider.person = { subject: 'subject-of-bob', claims: claimsOf('bob', ['ops']) };
      const stranger = await logIn();

      expect(await send(provider.sign(usual()))).toBe(200);

      const there = [one, other, stranger].map((each) => isThere(each.session));
      expect(await Promise.all(there)).toEqual([false, false, true]);
      const headers = { 'x-authentication': (body as { readonly token: string }).token };
      expect((await fetch(`${url}/rbac-api/v1/users/current`, { headers })).status).toBe(200);
    });

    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    if (isFirst)
      test.each<[string, () => string]>([
        ['a token of another key', () => provider.sign(usual(), {}, stranger)],
        ['a token for another client', () => provider.sign(usual({ aud: 'other' }))],
        ['a token of another provider', () => provider.sign(usual({ iss: 'https://elsewhere.test' }))],
        ['an old token', () => provider.sign(usual({ iat: usual().iat - 3600, exp: usual().iat + 60 }))],
        ['a token that has expired', () => provider.sign(usual({ exp: usual().iat - 300 }))],
        ['a token without the event', () => provider.sign(usual({ events: {} }))],
        ['an ID token', () => provider.sign(usual({ nonce: 'a nonce' }))],
        ['a token that names no session', () => provider.sign(usual({ sub: undefined }))],
        ['a token without an ID', () => provider.sign(usual({ jti: undefined }))],
        ['nothing', () => ''],
      ])('is not what %s says', async (_, token) => {
        const { session: cookie } = await logIn();

        expect(await send(token())).toBe(400);

        expect(await isThere(cookie)).toBe(true);
      });

    test('is said once', async () => {
      await logIn();
      const token = provider.sign(usual());
      expect(await send(token)).toBe(200);
      const { session: cookie } = await logIn();

      expect(await send(token)).toBe(400);
      expect(await isThere(cookie)).toBe(true);
    });
  });

  describe('A provider', () => {
    if (isFirst)
      test('that is away is named on the login page, and local users log in', async () => {
        const password = 'correct horse';
        await ask('POST', '/v1/users', {
          login: 'carl',
          email: '',
          display_name: '',
          password,
          role_ids: [1],
        });
        const away = { id, issuer: 'http://127.0.0.1:9', client_secret: 'any' };
        expect((await ask('POST', '/v1/command/oidc/update', settings(away))).status).toBe(200);

        const answer = await fetch(`${url}/auth/sso/company`, { redirect: 'manual' });

        expect(answer.status).toBe(503);
        expect(await answer.text()).toContain('The &lt;Company&gt; cannot be asked now');
        const local = await fetch(`${url}/auth/login`, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'sec-fetch-site': 'same-origin' },
          body: new URLSearchParams({ login: 'carl', password }),
        });
        expect(local.status).toBe(303);
      });

    if (isFirst)
      test('that is not connected has no page', async () => {
        expect((await fetch(`${url}/auth/sso/none`)).status).toBe(404);
        expect((await fetch(`${url}/auth/oidc/none/callback`)).status).toBe(404);
        expect((await fetch(`${url}/auth/oidc/none/logout`, { method: 'POST' })).status).toBe(404);
      });

    if (isFirst)
      test('is sent a browser with PKCE, a state, a nonce, and a cookie that it brings back', async () => {
        const answer = await fetch(`${url}/auth/sso/company`, { redirect: 'manual' });

        expect(answer.headers.getSetCookie()[0]).toMatch(
          /^__Host-bunraku-login=[\w+/=]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
        );
        const { searchParams } = new URL(answer.headers.get('location') ?? '');
        expect(Object.fromEntries(searchParams)).toEqual({
          client_id: openIdClient.id,
          response_type: 'code',
          redirect_uri: provider.client.callback,
          scope: 'openid profile email',
          state: expect.stringMatching(/^[\w-]{43}$/),
          nonce: expect.stringMatching(/^[\w-]{43}$/),
          code_challenge: expect.stringMatching(/^[\w-]{43}$/),
          code_challenge_method: 'S256',
        });
      });

    if (isFirst)
      test.each(['https://elsewhere.test/', '//elsewhere.test', '/\\elsewhere.test'])(
        'leads to no page of others: %s',
        async (next) => {
          const { cookie, location } = await begin(next);

          expect((await comeBack(await provider.logIn(location), cookie)).headers.get('location')).toBe('/');
        },
      );

    test('is shown and recorded without its secret, which stays when none is given', async () => {
      const { client_secret: _, ...shown } = settings();
      const all = {
        ...shown,
        id,
        client_authentication: 'basic',
        scopes: 'openid profile email',
        login_claim: 'preferred_username',
        display_name_claim: 'name',
        email_claim: 'email',
        groups_claim: 'groups',
      };
      expect((await ask('GET', '/v1/oidc')).body).toEqual([all]);
      expect((await ask('GET', `/v1/oidc/${id}`)).body).toEqual(all);

      const changed = { ...all, client_secret: '', display_name: 'The company' };
      expect(await ask('POST', '/v1/command/oidc/update', changed)).toMatchObject({ status: 200 });

      expect((await logIn()).answer.status).toBe(303);
      expect(await recorded()).toContain('Changed display_name of the identity provider "The company" from');
      expect(await recorded()).not.toContain(openIdClient.secret);
      expect(
        JSON.stringify(await server.database.read(sql`select secret from rbac_identity_providers`)),
      ).not.toContain(openIdClient.secret);
    });

    if (isFirst)
      test('elsewhere is not sent the stored secret', async () => {
        const { client_secret: _, ...others } = settings();

        for (const moved of [{ issuer: 'http://127.0.0.1:9' }, { client_id: 'other' }])
          for (const command of ['update', 'test'])
            expect(
              await ask('POST', `/v1/command/oidc/${command}`, { ...others, ...moved, id }),
            ).toMatchObject({
              status: 400,
              body: { kind: 'puppetlabs.rbac/schema-violation' },
            });
      });

    if (isFirst)
      test('is tested before it is connected', async () => {
        expect(await ask('POST', '/v1/command/oidc/test', settings())).toMatchObject({
          status: 200,
          body: { elapsed: expect.any(Number) },
        });
        expect(
          await ask('POST', '/v1/command/oidc/test', settings({ issuer: `${provider.issuer}/x` })),
        ).toEqual({
          status: 400,
          body: { elapsed: expect.any(Number), error: expect.stringContaining('is no OpenID provider now') },
        });
      });

    if (isFirst)
      test.each([
        ['issuer', 'http://provider.example.com'],
        ['issuer', 'https://user:password@provider.example.com'],
        ['issuer', 'none'],
        ['name', 'The company'],
        ['name', '../x'],
        ['scopes', 'profile'],
        ['client_id', ''],
        ['client_secrets', 'x'],
      ])('is not connected with the %s %s', async (field, value) => {
        const answer = await ask(
          'POST',
          '/v1/command/oidc/create',
          settings({ name: 'other', [field]: value }),
        );

        expect(answer).toMatchObject({ status: 400, body: { kind: 'puppetlabs.rbac/schema-violation' } });
        expect(JSON.stringify(answer)).not.toContain(openIdClient.secret);
      });

    if (isFirst)
      test('has a name of its own', async () => {
        const same = [
          settings({ display_name: 'Other' }),
          settings({ name: 'other', display_name: 'the <company>' }),
        ];
        for (const each of same)
          expect((await ask('POST', '/v1/command/oidc/create', each)).status).toBe(409);
      });

    test('that is deleted takes its users, their sessions and its groups with it', async () => {
      const { session: cookie } = await logIn();

      expect((await ask('POST', '/v1/command/oidc/delete', { id })).status).toBe(204);

      expect(await userOf('ann')).toBeUndefined();
      expect((await ask('GET', '/v1/groups')).body).toEqual([]);
      expect(await session(cookie)).toMatchObject({ kind: expect.stringContaining('unauthenticated') });
      expect(await recorded()).toContain('Deleted the identity provider "The <Company>"');
    });

    if (isFirst)
      test('is connected by users who may change directories alone', async () => {
        const { session: cookie } = await logIn();
        const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-bunraku-console': '1' };
        const sent = { ...headers, 'content-type': 'application/json' };
        const asUser = (path: string, body?: object) =>
          fetch(`${url}/rbac-api${path}`, {
            headers: sent,
            ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          });

        const answers = [
          await asUser('/v1/oidc'),
          await asUser(`/v1/oidc/${id}`),
          await asUser('/v1/command/oidc/create', settings({ name: 'other' })),
          await asUser('/v1/command/oidc/update', settings({ id })),
          await asUser('/v1/command/oidc/test', settings()),
          await asUser('/v1/command/oidc/delete', { id }),
        ];

        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
      });
  });
});
