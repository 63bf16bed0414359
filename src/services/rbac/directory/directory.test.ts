/** Users and groups of a real directory, as clients of Puppet Enterprise's RBAC meet them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../../test/support/backends.ts';
import { checkedRoutes } from '../../../../test/support/checked-routes.ts';
import {
  directoryOptions,
  graceSeconds,
  refreshSeconds,
} from '../../../../test/support/directory-options.ts';
import {
  isSlapdInstalled,
  type RunningSlapd,
  slapdManager,
  slapdSuffix,
  startSlapd,
} from '../../../../test/support/running-slapd.ts';
import { changeMigrations } from '../../../platform/changes/index.ts';
import { createHttpServer, type HttpServer, TrustedProxies } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import {
  type Database,
  migrate,
  openDirectDatabase,
  openSqliteDatabase,
  sql,
} from '../../../platform/storage/index.ts';
import { createRbac, type Rbac, RbacStore, rbacMigrations, rbacRoutes } from '../index.ts';

const people = `ou=people,${slapdSuffix}`;
const groups = `ou=groups,${slapdSuffix}`;
const operator = 'operator.test';
const localPassword = 'correct horse';

const person = (uid: string, alias?: string) => `dn: uid=${uid},${people}
objectClass: inetOrgPerson
objectClass: extensibleObject
uid: ${uid}${alias === undefined ? '' : `\nuid: ${alias}`}
cn: ${uid}
sn: ${uid}
displayName: ${uid.toUpperCase()}
mail: ${uid}@example.com
userPassword: ${uid} password
`;
const group = (cn: string, members: readonly string[]) => `dn: cn=${cn},${groups}
objectClass: groupOfNames
cn: ${cn}
description: The ${cn}
${members.map((member) => `member: ${member}`).join('\n')}
`;
const unit = (ou: string) => `dn: ou=${ou},${slapdSuffix}\nobjectClass: organizationalUnit\nou: ${ou}\n`;
/** An entry as `ldapmodify` adds it. */
const added = (entry: string) => entry.trim().replace('\n', '\nchangetype: add\n') + '\n';
const uid = (name: string) => `uid=${name},${people}`;
const cn = (name: string) => `cn=${name},${groups}`;

const ldif = [
  `dn: ${slapdSuffix}\nobjectClass: dcObject\nobjectClass: organization\no: example\ndc: example\n`,
  unit('people'),
  unit('groups'),
  unit('others'),
  ...['ada', 'bob', 'carol', 'local'].map((name) => person(name)),
  person('dave', 'david'),
  // The commas are parts of names.
  `dn: uid=eve\\2C o=root,${people}
objectClass: inetOrgPerson
uid: eve, o=root
cn: eve
sn: eve
userPassword: eve password
`,
  `dn: uid=twin,${people}\nobjectClass: account\nuid: twin\n`,
  `dn: uid=twin,ou=others,${slapdSuffix}\nobjectClass: account\nuid: twin\n`,
  group('ops', [uid('ada')]),
  group('eves', [`uid=eve\\2C o=root,${people}`]),
  // ada is in the first, each of the others holds the one before, and the last closes the circle.
  group('inner', [uid('ada'), cn('outer')]),
  group('middle', [cn('inner')]),
  group('outer', [cn('middle')]),
  group('strangers', [uid('bob')]),
  `dn: cn=posix,${groups}
objectClass: posixGroup
cn: posix
gidNumber: 1
memberUid: ada
`,
].join('\n');

const installed = backends.filter(({ isInstalled }) => isInstalled);
const where = isSlapdInstalled ? 'on' : 'skipped (slapd or ldap-utils is not installed): on';

describe.skipIf(!isSlapdInstalled).each(installed)(`${where} $name`, (backend) => {
  let running: RunningBackend;
  let slapd: RunningSlapd;
  let directory: string;
  let database: Database;
  let rbac: Rbac;
  let http: HttpServer;
  let url: string;
  let nowMs: number;
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

  beforeAll(async () => {
    running = await backend.start();
    slapd = await startSlapd({ ldif, schemas: ['nis', 'msuser'], database: ['index member eq'] });
    directory = mkdtempSync(join(tmpdir(), 'bunraku-directory-'));
    const location = await running.createDatabase();
    database =
      location === undefined
        ? await openSqliteDatabase({ path: join(directory, 'database.sqlite') })
        : await openDirectDatabase(location, 'writer');
    await migrate(database, [...changeMigrations, ...rbacMigrations]);
  });

  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
    await slapd.remove();
    await running.stop();
  });

  beforeEach(async () => {
    nowMs = Date.parse('2026-01-01T00:00:00Z');
    lines = [];
    await slapd.reset();
    await database.write([
      sql`delete from rbac_tokens`,
      sql`delete from rbac_users where login <> 'admin'`,
      sql`delete from rbac_groups`,
      sql`delete from rbac_directories`,
      sql`delete from rbac_roles`,
      sql`delete from changes`,
    ]);
    const ids = { next: 0 };
    rbac = createRbac({
      store: new RbacStore(database),
      log,
      now: () => new Date(nowMs),
      newId: () => `00000000-0000-4000-8000-${String((ids.next += 1)).padStart(12, '0')}`,
      tokenLifetimeSeconds: 24 * 3600,
      mostTokenLifetimeSeconds: 86_400,
      mostFailedLogins: 3,
      passwordCost: { N: 1024, r: 8, p: 1 },
      directories: directoryOptions(database),
    });
    http = createHttpServer({
      routes: checkedRoutes(
        rbacRoutes(rbac, { kind: 'certname', allows: (certname) => certname === operator }),
      ),
      authorization: { rules: [], allowHeaderCertInfo: true },
      trustedProxies: new TrustedProxies(['127.0.0.1', '::1']),
      authenticate: rbac.tokens.authenticate,
      log,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  });

  afterEach(async () => {
    await http.drain(1000);
  });

  interface Answer {
    readonly status: number;
    readonly location: string;
    readonly body: Record<string, unknown>;
  }

  /** @param token - the operator's certificate when absent */
  async function ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const proof =
      token === undefined
        ? { 'x-client-verify': 'SUCCESS', 'x-client-dn': `CN=${operator}` }
        : { 'x-client-verify': 'NONE', 'x-authentication': token };
    const answer = await fetch(`${url}/rbac-api${path}`, {
      method,
      headers: proof,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
    };
  }

  const failure = (status: number, kind: string) =>
    expect.objectContaining({ status, body: expect.objectContaining({ kind: `puppetlabs.rbac/${kind}` }) });
  const refusedLogin = failure(401, 'user-unauthenticated');

  const settings = (changes: object = {}) => ({
    display_name: 'Example',
    help_link: 'https://help.example.com',
    hostname: 'localhost',
    port: slapd.port,
    login: slapdManager.dn,
    password: slapdManager.password,
    connect_timeout: 20,
    ssl: false,
    start_tls: false,
    base_dn: slapdSuffix,
    user_rdn: 'ou=people',
    user_lookup_attr: 'uid',
    user_email_attr: 'mail',
    user_display_name_attr: 'displayName',
    group_rdn: 'ou=groups',
    group_object_class: 'groupOfNames',
    group_member_attr: 'member',
    group_name_attr: 'description',
    group_lookup_attr: 'cn',
    search_nested_groups: false,
    ...changes,
  });

  async function connectDirectory(changes: object = {}): Promise<void> {
    expect((await ask('PUT', '/v1/ds', settings(changes))).status).toBe(200);
  }

  const logIn = (login: string, password = `${login} password`) =>
    ask('POST', '/v1/auth/token', { login, password });

  async function tokenOf(login: string, password?: string): Promise<string> {
    const { body, status } = await logIn(login, password);
    expect({ status, body }).toMatchObject({ status: 200 });
    return String(body['token']);
  }

  async function userOf(login: string): Promise<Record<string, unknown>> {
    const { body } = await ask('GET', '/v1/users');
    const found = (body as unknown as Record<string, unknown>[]).find((user) => user['login'] === login);
    return found ?? {};
  }

  async function importGroup(login: string, role_ids: readonly number[] = []): Promise<string> {
    const { location, status } = await ask('POST', '/v1/groups', { login, role_ids });
    expect(status).toBe(201);
    return location.replace('/rbac-api/v1/groups/', '');
  }

  const createLocal = (login: string) =>
    ask('POST', '/v1/users', {
      login,
      email: '',
      display_name: login,
      role_ids: [],
      password: localPassword,
    });

  /** Whether a token may do something, or why it is none. */
  async function may(token: string, permission = 'nodes/view_data'): Promise<boolean | string> {
    const { body, status } = await ask('GET', `/v1/permitted/${permission}`, undefined, token);
    if (status === 200) return (body as unknown as string[]).includes('*');
    return `${status} ${String(body['kind']).replace('puppetlabs.rbac/', '')}`;
  }

  const refreshed = () => void (nowMs += refreshSeconds * 1000);

  describe('The settings of a directory', () => {
    test('are kept and shown without the password', async () => {
      expect((await ask('GET', '/v1/ds')).body).toEqual({});
      const { password: _, ...shown } = {
        ...settings(),
        ssl_hostname_validation: true,
        ssl_wildcard_validation: false,
        disable_ldap_matching_rule_in_chain: false,
      };

      expect(await ask('PUT', '/v1/ds', settings())).toMatchObject({ status: 200, body: shown });

      expect((await ask('GET', '/v1/ds')).body).toEqual(shown);
      const [listed] = (await ask('GET', '/v2/ldap')).body as unknown as Record<string, unknown>[];
      expect(listed).toEqual({ id: expect.any(String), ...shown });
      expect((await ask('GET', '/v2/ds')).body).toEqual([listed]);
      expect((await ask('GET', `/v2/ldap/${String(listed?.['id'])}`)).body).toEqual(listed);
      expect(await ask('GET', '/v2/ldap/unknown')).toEqual(failure(404, 'not-found'));
    });

    test('go on with the stored password when none is given, but not at another place', async () => {
      await connectDirectory();
      const { password: _, ...others } = settings();

      expect((await ask('PUT', '/v1/ds', { ...others, help_link: null })).status).toBe(200);
      expect(await ask('PUT', '/v1/ds/test', others)).toMatchObject({ status: 200 });
      expect(await ask('GET', '/v1/ds/test')).toMatchObject({ status: 200 });
      for (const moved of [
        { hostname: '127.0.0.1' },
        { port: slapd.port + 1 },
        { login: `uid=ada,${people}` },
        { start_tls: true },
        { ssl_hostname_validation: false },
      ]) {
        expect(await ask('PUT', '/v1/ds', { ...others, ...moved })).toEqual(failure(400, 'schema-violation'));
        expect(await ask('PUT', '/v1/ds/test', { ...others, ...moved })).toEqual(
          failure(400, 'schema-violation'),
        );
      }
      expect((await ask('GET', '/v1/ds')).body).toMatchObject({ hostname: 'localhost', help_link: '' });
    });

    const mistakes = [
      ['base_dn', undefined],
      ['base_dn', ''],
      ['port', 70_000],
      ['port', '389'],
      ['hostname', 'ldap://localhost'],
      ['user_lookup_attr', 'uid)(cn=*'],
      ['user_lookup_attr', '*'],
      ['group_object_class', 'a b'],
      ['connect_timeout', 0],
      ['ssl', 'yes'],
      ['start_tsl', true],
    ] as const;

    test('are refused where they are wrong, in words that name the field and not the password', async () => {
      for (const [name, value] of mistakes) {
        const answer = await ask('PUT', '/v1/ds', settings({ [name]: value }));

        expect(answer).toEqual(failure(400, 'schema-violation'));
        expect(answer.body['msg']).toContain(name);
        expect(JSON.stringify(answer)).not.toContain(slapdManager.password);
      }
      expect((await ask('GET', '/v1/ds')).body).toEqual({});
    });

    test('name one kind of TLS', async () => {
      expect(await ask('PUT', '/v1/ds', settings({ ssl: true, start_tls: true }))).toEqual(
        failure(400, 'schema-violation'),
      );
    });

    test('are for users who may see and change them', async () => {
      await createLocal('nobody');
      const role = await ask('POST', '/v1/roles', {
        display_name: 'Directories',
        permissions: [{ object_type: 'directory_service', action: 'edit', instance: '*' }],
        user_ids: [],
      });
      const token = await tokenOf('nobody', localPassword);
      const requests = (id: string) =>
        [
          ['GET', '/v1/ds'],
          ['GET', '/v1/ds/test'],
          ['PUT', '/v1/ds/test', settings()],
          ['PUT', '/v1/ds', settings()],
          ['GET', '/v2/ds'],
          ['GET', '/v2/ldap'],
          ['GET', `/v2/ldap/${id}`],
          ['POST', '/v1/command/ldap/test', settings()],
          ['POST', '/v1/command/ldap/create', settings({ display_name: 'Another' })],
          ['POST', '/v1/command/ldap/update', settings({ id })],
          ['POST', '/v1/command/ldap/delete', { id }],
        ] as const;
      await connectDirectory();
      const [listed] = (await ask('GET', '/v2/ldap')).body as unknown as Record<string, string>[];
      const id = listed?.['id'] ?? '';

      for (const [method, path, body] of requests(id))
        expect(await ask(method, path, body, token)).toEqual(failure(403, 'permission-denied'));
      await ask('POST', '/v1/command/roles/add-users', {
        role_id: Number(role.location.split('/').at(-1)),
        user_ids: [(await userOf('nobody'))['id']],
      });

      for (const [method, path, body] of requests(id))
        expect((await ask(method, path, body, token)).status).toBeLessThan(300);
    });

    test('are tested: the connection, the lookup user and the base', async () => {
      expect(await ask('GET', '/v1/ds/test')).toEqual(failure(400, 'directory-not-configured'));
      const outcome = async (changes: object) => {
        const { body, status } = await ask('PUT', '/v1/ds/test', settings(changes));
        expect(body['elapsed']).toEqual(expect.any(Number));
        return [status, body['error']];
      };

      expect(await outcome({})).toEqual([200, undefined]);
      expect(await outcome({ login: null, password: null })).toEqual([200, undefined]);
      expect(await outcome({ password: 'wrong' })).toEqual([400, expect.stringContaining('lookup user')]);
      expect(await outcome({ port: 1 })).toEqual([
        400,
        expect.stringContaining('cannot connect to localhost:1'),
      ]);
      expect(await outcome({ base_dn: 'dc=nowhere' })).toEqual([400, expect.stringContaining('localhost')]);
      expect(await outcome({ start_tls: true })).toEqual([400, expect.stringContaining('StartTLS')]);
    });

    test('are of several directories by the newer commands', async () => {
      const created = await ask('POST', '/v1/command/ldap/create', settings());
      const second = settings({ display_name: 'Second' });

      expect(created).toMatchObject({ status: 200, body: { id: expect.any(String) } });
      expect(await ask('POST', '/v1/command/ldap/create', settings())).toEqual(failure(409, 'conflict'));
      expect((await ask('POST', '/v1/command/ldap/create', second)).status).toBe(200);
      const all = (await ask('GET', '/v2/ldap')).body as unknown as Record<string, unknown>[];
      expect(all.map((each) => each['display_name'])).toEqual(['Example', 'Second']);
      expect(await ask('GET', '/v1/ds')).toEqual(failure(409, 'several-directories'));
      const { id } = created.body;
      const update = { ...settings({ display_name: 'First' }), id };
      expect((await ask('POST', '/v1/command/ldap/update', update)).body).toMatchObject({
        id,
        display_name: 'First',
      });
      expect((await ask('POST', '/v1/command/ldap/test', update)).body).toEqual({
        elapsed: expect.any(Number),
      });
      expect((await ask('POST', '/v1/command/ldap/delete', { id })).status).toBe(204);
      expect((await ask('GET', '/v1/ds')).body).toMatchObject({ display_name: 'Second' });
    });

    test.each([{}, { hostname: null, port: null }])(
      '%j disconnects, and settings connect again',
      async (nothing) => {
        await connectDirectory();
        const id = await importGroup('ops', [3]);
        const token = await tokenOf('ada');

        expect(await ask('PUT', '/v1/ds', nothing)).toMatchObject({ status: 200, body: {} });

        expect((await ask('GET', '/v1/ds')).body).toEqual({});
        expect(await may(token)).toBe('401 user-revoked');
        expect(await logIn('ada')).toEqual(refusedLogin);
        await connectDirectory();
        expect(await may(token)).toBe(true);
        expect((await userOf('ada'))['group_ids']).toEqual([id]);
      },
    );
  });

  describe('A user of a directory', () => {
    beforeEach(() => connectDirectory());

    test('is made by the first login, with what the directory says', async () => {
      const id = await importGroup('ops', [3]);
      await importGroup('strangers', [1]);

      const token = await tokenOf('ada');

      expect(await userOf('ada')).toMatchObject({
        login: 'ada',
        email: 'ada@example.com',
        display_name: 'ADA',
        role_ids: [],
        inherited_role_ids: [3],
        group_ids: [id],
        is_remote: true,
        is_superuser: false,
        last_login: '2026-01-01T00:00:00.000Z',
      });
      expect(await may(token)).toBe(true);
      expect(await may(token, 'nodes/edit_data')).toBe(false);
      const current = await ask('GET', '/v1/users/current', undefined, token);
      expect(current.body).toMatchObject({ login: 'ada', inherited_role_ids: [3] });
      expect((await ask('POST', '/v2/auth/token/authenticate', { token })).body).toMatchObject({
        login: 'ada',
        is_remote: true,
        inherited_role_ids: [3],
      });
    });

    test('is the same one however the login is written', async () => {
      await tokenOf('ada');
      await tokenOf('ADA', 'ada password');
      await tokenOf('dave');
      await tokenOf('david', 'dave password');

      const logins = ((await ask('GET', '/v1/users')).body as unknown as Record<string, unknown>[])
        .filter((user) => user['is_remote'] === true)
        .map((user) => user['login']);
      expect(logins).toEqual(['ada', 'dave']);
    });

    test('needs the password of the directory', async () => {
      expect(await logIn('ada', 'wrong')).toEqual(refusedLogin);
      expect(await logIn('nobody', 'anything')).toEqual(refusedLogin);
      expect((await ask('POST', '/v1/auth/token', { login: 'ada', password: '' })).status).toBe(400);
      expect(await userOf('ada')).toEqual({});
    });

    const injections = [
      '*',
      '*)(uid=*',
      'ada)(|(uid=*',
      'ada*',
      'a\\64a',
      'ada)(objectClass=*',
      `uid=ada,${people}`,
      'ada,ou=people',
      'eve',
      'ада',
    ];

    test('is nobody by a login that looks like a part of a filter or of a name', async () => {
      for (const login of injections) {
        expect(await logIn(login, 'ada password')).toEqual(refusedLogin);
        expect(await logIn(login, 'eve password')).toEqual(refusedLogin);
      }
      // No login of any user has this character.
      expect(await logIn('ada\0', 'ada password')).toEqual(failure(400, 'schema-violation'));
    });

    test('may have a login with commas', async () => {
      await importGroup('eves', [3]);

      const token = await tokenOf('eve, o=root', 'eve password');

      expect(await may(token)).toBe(true);
    });

    test('must be the only one with the login', async () => {
      await connectDirectory({ user_rdn: null });

      expect(await logIn('twin', 'anything')).toEqual(failure(422, 'non-unique-lookup-attr'));
    });

    test('gives way to a local user of the same name', async () => {
      await createLocal('local');

      expect(await logIn('local', 'local password')).toEqual(refusedLogin);
      expect(await logIn('LOCAL', 'local password')).toEqual(failure(401, 'remote-user-conflict'));
      await tokenOf('local', localPassword);
      expect((await userOf('local'))['is_remote']).toBe(false);
    });

    test('is never the user of certificates', async () => {
      slapd.modify(added(person('api_user')));

      expect(await logIn('api_user')).toEqual(refusedLogin);
      expect(await logIn('API_USER', 'api_user password')).toEqual(failure(401, 'remote-user-conflict'));
    });

    test('keeps name, address and password in the directory, and has roles here', async () => {
      await tokenOf('ada');
      const user = await userOf('ada');
      const path = `/v1/users/${String(user['id'])}`;

      const changed = await ask('PUT', path, {
        ...user,
        email: 'other@example.com',
        login: 'other',
        role_ids: [4],
      });

      expect(changed.body).toMatchObject({ login: 'ada', email: 'ada@example.com', role_ids: [4] });
      expect(await ask('POST', `${path}/password/reset`)).toEqual(failure(403, 'permission-denied'));
      const own = { current_password: 'ada password', password: 'another password' };
      expect(await ask('PUT', '/v1/users/current/password', own, await tokenOf('ada'))).toEqual(
        failure(403, 'permission-denied'),
      );
    });

    test('can be revoked here', async () => {
      const token = await tokenOf('ada');
      await ask('POST', '/v1/command/users/revoke', { user_id: (await userOf('ada'))['id'] });

      expect(await may(token)).toBe('401 token-revoked');
      expect(await logIn('ada')).toEqual(refusedLogin);
    });

    test('follows a new login, address and name', async () => {
      const token = await tokenOf('ada');
      slapd.modify(
        `dn: ${uid('ada')}\nchangetype: modrdn\nnewrdn: uid=countess\ndeleteoldrdn: 1\n\n` +
          `dn: ${uid('countess')}\nchangetype: modify\nreplace: mail\nmail: countess@example.com\n`,
      );
      refreshed();

      expect(await may(token)).toBe(false);

      expect(await userOf('countess')).toMatchObject({ email: 'countess@example.com' });
      await tokenOf('countess', 'ada password');
      expect(await userOf('ada')).toEqual({});
    });
  });

  describe('Rights by groups', () => {
    test('are lost and won with the membership, also for tokens', async () => {
      await connectDirectory();
      await importGroup('ops', [3]);
      const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')];
      expect([await may(ada), await may(bob)]).toEqual([true, false]);
      slapd.modify(`dn: ${cn('ops')}\nchangetype: modify\nreplace: member\nmember: ${uid('bob')}\n`);

      nowMs += refreshSeconds * 1000 - 1;
      expect([await may(ada), await may(bob)]).toEqual([true, false]);
      nowMs += 1;

      expect([await may(ada), await may(bob)]).toEqual([false, true]);
      expect(await may(await tokenOf('ada'))).toBe(false);
    });

    test('change with the roles of the group, and with the role, at once', async () => {
      await connectDirectory();
      const id = await importGroup('ops', [3]);
      const token = await tokenOf('ada');
      const roles = async () => (await ask('GET', `/v1/groups/${id}`)).body;

      const changed = await ask('PUT', `/v1/groups/${id}`, { ...(await roles()), login: 'x', role_ids: [4] });

      expect(changed.body).toMatchObject({
        login: 'ops',
        role_ids: [4],
        user_ids: [(await userOf('ada'))['id']],
      });
      expect(await may(token)).toBe(false);
      const command = { role_id: 3, group_ids: [id] };
      await ask('POST', '/v1/command/roles/add-user-groups', command);
      expect(await may(token)).toBe(true);
      expect((await ask('GET', '/v1/roles/3')).body).toMatchObject({ group_ids: [id] });
      await ask('POST', '/v1/command/roles/remove-user-groups', command);
      expect(await may(token)).toBe(false);
      const unknown = { role_id: 3, group_ids: ['unknown'] };
      expect(await ask('POST', '/v1/command/roles/add-user-groups', unknown)).toEqual(
        failure(422, 'invalid-associated-id'),
      );
      await ask('PUT', `/v1/groups/${id}`, { ...(await roles()), role_ids: [3] });
      expect(await may(token)).toBe(true);
      expect((await ask('DELETE', `/v1/groups/${id}`)).status).toBe(204);
      expect(await may(token)).toBe(false);
      expect((await userOf('ada'))['group_ids']).toEqual([]);
    });

    test("go with a role of one's own that is deleted", async () => {
      await connectDirectory();
      const id = await importGroup('ops');
      const { location } = await ask('POST', '/v1/roles', {
        display_name: 'Watchers',
        permissions: [{ object_type: 'nodes', action: 'view_data', instance: '*' }],
        user_ids: [],
        group_ids: [id],
      });
      const token = await tokenOf('ada');
      expect(await may(token)).toBe(true);

      await ask('DELETE', location.replace('/rbac-api', ''));

      expect(await may(token)).toBe(false);
      expect((await ask('GET', `/v1/groups/${id}`)).body).toMatchObject({ role_ids: [] });
    });

    test.each([
      [false, { inner: true, middle: false, outer: false }],
      [true, { inner: true, middle: true, outer: true }],
    ])('come by nested groups, in circles too, where that is set: %s', async (nested, expected) => {
      await connectDirectory({ search_nested_groups: nested });
      const ids = new Map<unknown, string>();
      for (const name of ['inner', 'middle', 'outer', 'strangers']) ids.set(await importGroup(name), name);

      await tokenOf('ada');

      const names = ((await userOf('ada'))['group_ids'] as string[]).map((id) => ids.get(id));
      expect({
        inner: names.includes('inner'),
        middle: names.includes('middle'),
        outer: names.includes('outer'),
      }).toEqual(expected);
      expect(names).not.toContain('strangers');
    });

    test('come by groups that name logins instead of entries', async () => {
      await connectDirectory({ group_object_class: 'posixGroup', group_member_attr: 'memberUid' });
      await importGroup('posix', [3]);

      expect(await may(await tokenOf('ada'))).toBe(true);
      expect(await may(await tokenOf('bob'))).toBe(false);
    });

    test.each([
      ['userAccountControl', '514', '512'],
      ['accountExpires', '133000000000000000', '9223372036854775807'],
      ['accountExpires', '133000000000000000', '0'],
    ])('end when %s disables the account, and come back with it', async (attribute, disabling, enabling) => {
      await connectDirectory();
      await importGroup('ops', [3]);
      const set = (value: string) =>
        slapd.modify(
          `dn: ${uid('ada')}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n`,
        );
      const token = await tokenOf('ada');
      set(disabling);
      refreshed();

      expect(await may(token)).toBe('401 user-revoked');
      expect(await may(token)).toBe('401 user-revoked');
      expect(await logIn('ada')).toEqual(failure(401, 'user-revoked'));

      set(enabling);
      refreshed();
      expect(await may(token)).toBe(true);
      await tokenOf('ada');
    });

    test('end with the entry, and whoever gets the login later has none of them', async () => {
      await connectDirectory();
      await importGroup('ops', [3]);
      const token = await tokenOf('ada');
      const user = await userOf('ada');
      await ask('PUT', `/v1/users/${String(user['id'])}`, { ...user, role_ids: [1] });
      expect(await may(token, 'users/create')).toBe(true);
      slapd.modify(`dn: ${uid('ada')}\nchangetype: delete\n`);
      refreshed();

      expect(await may(token)).toBe('401 user-revoked');
      expect(await logIn('ada')).toEqual(refusedLogin);

      slapd.modify(added(person('ada')));
      refreshed();
      expect(await may(token)).toBe('401 user-revoked');
      const next = await tokenOf('ada');
      expect(await may(token)).toBe('401 token-revoked');
      // The group still names the entry; the role was the earlier person's.
      expect([await may(next), await may(next, 'users/create')]).toEqual([true, false]);
    });
  });

  describe('User groups', () => {
    test('are imported with the names that the directory has for them', async () => {
      await connectDirectory();
      const { body, location, status } = await ask('POST', '/v1/groups', {
        login: 'OPS',
        role_ids: [2, 3, 3],
      });

      expect([status, body]).toEqual([201, { text: '' }]);
      const imported = (await ask('GET', location.replace('/rbac-api', ''))).body;
      expect(imported).toEqual({
        id: expect.any(String),
        login: 'ops',
        display_name: 'The ops',
        identity_provider_id: expect.any(String),
        role_ids: [2, 3],
        is_group: true,
        is_remote: true,
        is_superuser: false,
        is_revoked: false,
        user_ids: [],
      });
      expect((await ask('GET', '/v1/groups')).body).toEqual([imported]);
      expect((await ask('GET', '/v2/groups?filter=ops')).body).toMatchObject({ groups: [imported] });
      expect((await ask('GET', '/v1/roles/2')).body).toMatchObject({ group_ids: [imported['id']] });
    });

    test('must exist there, once, with roles that exist here', async () => {
      await connectDirectory();
      await importGroup('ops');
      const outcome = (body: object) => ask('POST', '/v1/command/groups/create', body);

      expect(await outcome({ login: 'Ops' })).toEqual(failure(409, 'conflict'));
      expect(await outcome({ login: 'nobodies' })).toEqual(failure(422, 'no-such-group-LDAP'));
      expect(await outcome({ login: '*' })).toEqual(failure(422, 'no-such-group-LDAP'));
      expect(await outcome({ login: 'inner', role_ids: [99] })).toEqual(
        failure(422, 'invalid-associated-id'),
      );
      expect(await outcome({ login: 'inner', identity_provider_id: 'unknown' })).toEqual(
        failure(422, 'invalid-associated-id'),
      );
      expect(await outcome({ login: 'later', validate: false, display_name: 'Later' })).toMatchObject({
        status: 200,
        body: { id: expect.any(String) },
      });
      await slapd.stop();
      expect(await outcome({ login: 'inner' })).toEqual(failure(503, 'directory-unavailable'));
    });

    test('are imported and given roles by users who may', async () => {
      await connectDirectory();
      await createLocal('importer');
      const { location } = await ask('POST', '/v1/roles', {
        display_name: 'Importers',
        permissions: [{ object_type: 'user_groups', action: 'import', instance: '*' }],
        user_ids: [(await userOf('importer'))['id']],
      });
      const token = await tokenOf('importer', localPassword);

      expect(await ask('POST', '/v1/groups', { login: 'ops', role_ids: [1] }, token)).toEqual(
        failure(403, 'permission-denied'),
      );
      const imported = await ask('POST', '/v1/groups', { login: 'ops', role_ids: [] }, token);
      const path = imported.location.replace('/rbac-api', '');
      expect(await ask('PUT', path, { role_ids: [1] }, token)).toEqual(failure(403, 'permission-denied'));
      expect(await ask('DELETE', path, undefined, token)).toEqual(failure(403, 'permission-denied'));
      await ask('DELETE', location.replace('/rbac-api', ''));
      expect(await ask('POST', '/v1/groups', { login: 'inner' }, token)).toEqual(
        failure(403, 'permission-denied'),
      );
    });

    test('of one directory say nothing of the users of another', async () => {
      await connectDirectory();
      await importGroup('ops', [3]);
      const other = settings({ display_name: 'Other', user_rdn: 'ou=others', group_rdn: 'ou=groups' });
      const { body } = await ask('POST', '/v1/command/ldap/create', other);
      slapd.modify(
        `${added(person('zoe')).replace(uid('zoe'), `uid=zoe,ou=others,${slapdSuffix}`)}\n` +
          `dn: ${cn('ops')}\nchangetype: modify\nadd: member\nmember: uid=zoe,ou=others,${slapdSuffix}\n`,
      );

      const token = await tokenOf('zoe');

      expect(await may(token)).toBe(false);
      const named = { login: 'ops', role_ids: [3], identity_provider_id: body['id'] };
      expect((await ask('POST', '/v1/groups', named)).status).toBe(201);
      expect(await may(await tokenOf('zoe'))).toBe(true);
      await ask('POST', '/v1/command/ldap/delete', { id: body['id'] });
      expect(await may(token)).toBe('401 user-revoked');
      expect(await logIn('zoe')).toEqual(refusedLogin);
      expect((await ask('GET', '/v1/groups')).body).toHaveLength(1);
    });
  });

  describe('While the directory is away', () => {
    test('local users log in, others are told, and tokens count for a while', async () => {
      await connectDirectory();
      await importGroup('ops', [3]);
      await createLocal('root');
      const token = await tokenOf('ada');
      await slapd.stop();

      expect(await logIn('ada')).toEqual(failure(503, 'directory-unavailable'));
      expect(await logIn('bob')).toEqual(failure(503, 'directory-unavailable'));
      await tokenOf('root', localPassword);
      expect(await may(token)).toBe(true);
      nowMs += graceSeconds * 1000 - 1;
      expect(await may(token)).toBe(true);
      nowMs += 1;
      expect(await may(token)).toBe('503 directory-unavailable');

      await slapd.start();
      nowMs += 30_000;
      expect(await may(token)).toBe(true);
      await tokenOf('ada');
    });

    test('it is asked about tokens once in a while only', async () => {
      await connectDirectory();
      const token = await tokenOf('ada');
      await slapd.stop();
      refreshed();
      const failures = () => lines.filter((line) => line.includes('directory does not answer')).length;

      await Promise.all(Array.from({ length: 20 }, () => may(token)));
      await may(token);
      expect(failures()).toBe(1);
      nowMs += 30_000;
      await may(token);
      expect(failures()).toBe(2);
    });

    test('many logins at once are answered, and local ones do not wait for them', async () => {
      await connectDirectory();
      await createLocal('root');
      await slapd.stop();

      const remote = Promise.all(Array.from({ length: 30 }, (_, index) => logIn(`user${index}`, 'anything')));
      await tokenOf('root', localPassword);

      for (const answer of await remote) expect(answer).toEqual(failure(503, 'directory-unavailable'));
    });
  });

  describe('Guessing passwords', () => {
    test('revokes a user who is known, until an operator undoes it', async () => {
      await connectDirectory();
      await tokenOf('ada');

      const outcomes = await Promise.all(Array.from({ length: 6 }, () => logIn('ADA', 'wrong')));

      for (const outcome of outcomes) expect(outcome).toEqual(refusedLogin);
      expect(await logIn('ada')).toEqual(refusedLogin);
      expect((await userOf('ada'))['is_revoked']).toBe(true);
      await ask('POST', '/v1/command/users/reinstate', { user_id: (await userOf('ada'))['id'] });
      await tokenOf('ada');
    });

    test('of a login that is no user yet ends for a quarter of an hour', async () => {
      await connectDirectory();
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect(await logIn('bob', 'wrong')).toEqual(refusedLogin);

      expect(await logIn('bob')).toEqual(refusedLogin);
      expect(await logIn(' BOB', 'bob password')).toEqual(refusedLogin);
      nowMs += 15 * 60 * 1000;
      await tokenOf('bob');
    });
  });

  test('what changes is recorded, and neither the database nor the log holds a password', async () => {
    await connectDirectory();
    await connectDirectory({
      hostname: '127.0.0.1',
      search_nested_groups: true,
      password: slapdManager.password,
    });
    const id = await importGroup('ops', [3]);
    const token = await tokenOf('ada');
    slapd.modify(
      `dn: ${cn('ops')}\nchangetype: modify\nadd: member\nmember: ${uid('bob')}\n-\ndelete: member\nmember: ${uid('ada')}\n`,
    );
    refreshed();
    await may(token);
    slapd.modify(`dn: ${uid('ada')}\nchangetype: delete\n`);
    refreshed();
    await may(token);
    await ask('DELETE', `/v1/groups/${id}`);
    await ask('PUT', '/v1/ds', {});

    const rows = await database.read(sql`select events from changes order by id`);
    const events = rows.flatMap((row) => {
      const value = row['events'];
      return (typeof value === 'string' ? JSON.parse(value) : value) as { readonly message: string }[];
    });
    const messages = events.map(({ message }) => message);
    expect(messages).toEqual([
      `Connected the directory "Example" at localhost:${slapd.port}`,
      'Changed hostname of the directory "Example" from "localhost" to "127.0.0.1"',
      'Changed search_nested_groups of the directory "Example" from false to true',
      'Imported the user group ops',
      'Gave the user group ops the role "Viewers"',
      'Created the user ada',
      'The directory has the user ada in the user group ops',
      'The user ada logged in',
      'Created the token of the user ada',
      'The directory no longer has the user ada in the user group ops',
      'The directory no longer has the user ada',
      'Deleted the user group ops',
      'Disconnected the directory "Example"',
    ]);
    const kept = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    for (const text of [...kept, lines.join('\n'), JSON.stringify(rows)]) {
      expect(text).not.toContain(slapdManager.password);
      expect(text).not.toContain('ada password');
    }
  });
});
