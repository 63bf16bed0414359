/** Files of roles, users and directories, against the API of users itself. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { directoryOptions } from '../../../../test/support/directory-options.ts';
import { changeMigrations } from '../../../platform/changes/index.ts';
import { createHttpServer, TrustedProxies } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { migrate, openSqliteDatabase } from '../../../platform/storage/index.ts';
import { createRbac, RbacStore, rbacMigrations, rbacRoutes } from '../../../services/rbac/index.ts';
import type { ServiceRequest } from '../../service-connection.ts';
import { parseAccess, renderAccess } from './access-file.ts';
import { planAccess } from './access-plan.ts';
import { readAccessState } from './access-state.ts';
import { applySteps, planLines } from './commands.ts';

afterEach(() => vi.unstubAllEnvs());

/** The API, asked as an operator. */
async function start() {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-access-'));
  const database = await openSqliteDatabase({ path: join(directory, 'state.sqlite') });
  await migrate(database, [...changeMigrations, ...rbacMigrations]);
  let ids = 0;
  const rbac = createRbac({
    store: new RbacStore(database),
    log: silentLogger,
    now: () => new Date(0),
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    tokenLifetimeSeconds: 3600,
    mostTokenLifetimeSeconds: 3600,
    mostFailedLogins: 10,
    directories: directoryOptions(database),
  });
  const http = createHttpServer({
    routes: rbacRoutes(rbac, { kind: 'certname', allows: (certname) => certname === 'operator' }),
    authorization: { rules: [], allowHeaderCertInfo: true },
    trustedProxies: new TrustedProxies(['127.0.0.1']),
    log: silentLogger,
  });
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/rbac-api`;
  onTestFinished(async () => {
    await http.drain(0);
    await database.close();
    rmSync(directory, { recursive: true });
  });
  const ask = async ({ body, method, path }: ServiceRequest): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-client-verify': 'SUCCESS', 'x-client-dn': 'CN=operator' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error((JSON.parse(text) as { readonly msg: string }).msg);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  const plan = async (text: string) =>
    planAccess(await readAccessState(ask), parseAccess(Buffer.from(text), 'access.yaml'));
  const apply = async (text: string) => {
    const steps = await plan(text);
    await applySteps(steps, ask);
    return planLines(steps);
  };
  return { apply, ask, plan, exported: async () => renderAccess(await readAccessState(ask)) };
}

const file = `
roles:
- name: Web team
  description: Runs the web servers
  permissions: [nodes:view_data, "environment:deploy_code:web"]
users:
- login: ann
  name: Ann
  roles: [Web team, Viewers]
- login: pipeline
`;

test('a file makes roles and users, says so, and then has nothing left to do', async () => {
  const { apply, plan } = await start();

  expect(await apply(file)).toEqual([
    '3 changes:',
    '  + role Web team',
    '    + name: Web team',
    '    + description: Runs the web servers',
    '    + permission nodes:view_data',
    '    + permission environment:deploy_code:web',
    '  + user ann',
    '    + name: Ann',
    '    + role Web team',
    '    + role Viewers',
    '  + user pipeline',
  ]);
  expect(planLines(await plan(file))).toEqual(['Nothing to do: everything is as the files have it']);
});

test('what is exported is what a file has to say, and changes nothing', async () => {
  const { apply, exported, plan } = await start();
  await apply(file);

  const text = await exported();

  expect(text).toContain('Web team');
  expect(text).not.toMatch(/admin|Administrators|password/);
  expect(await plan(text)).toEqual([]);
});

test('what a file leaves out stays, of a user and as a whole', async () => {
  const { apply, exported } = await start();
  await apply(file);

  expect(await apply('users:\n- login: ann\n  email: ann@example.com\n')).toEqual([
    '1 change:',
    '  ~ user ann',
    '    + email: ann@example.com',
  ]);
  const text = await exported();
  expect(text).toMatch(
    /login: ann\n {2}name: Ann\n {2}email: ann@example.com\n {2}roles:\n {2}- Viewers\n {2}- Web team/,
  );
  expect(text).toContain('login: pipeline');
});

test('permissions and roles that a file does not have any more are taken back', async () => {
  const { apply } = await start();
  await apply(file);

  expect(
    await apply(
      'roles: [{name: Web team, permissions: [nodes:view_data]}]\nusers: [{login: ann, roles: [], revoked: true}]',
    ),
  ).toEqual([
    '2 changes:',
    '  ~ role Web team',
    '    - permission environment:deploy_code:web',
    '  ~ user ann',
    '    - role Web team',
    '    - role Viewers',
    '    ~ revoked: false -> true',
  ]);
});

test('a role keeps its users under another name', async () => {
  const { apply, exported, plan } = await start();
  await apply(file);
  const renamed =
    'roles: [{name: Web crew, formerly: Web team}]\nusers: [{login: ann, roles: [Viewers, Web crew]}]';

  expect(await apply(renamed)).toEqual([
    '1 change:',
    '  ~ role Web crew',
    '    ~ name: Web team -> Web crew',
  ]);
  expect(await exported()).toContain('  - Web crew');
  expect(await plan(renamed)).toEqual([]);
});

const sources = `
directories:
- display_name: Company
  hostname: ldap.example.com
  port: 636
  ssl: true
  base_dn: dc=example,dc=com
  user_lookup_attr: uid
  user_email_attr: mail
  user_display_name_attr: displayName
  group_object_class: groupOfNames
  group_member_attr: member
  group_name_attr: cn
  group_lookup_attr: cn
openid_providers:
- name: portal
  display_name: Portal
  issuer: https://login.example.com
  client_id: console
`;

test('directories and identity providers are made and changed; their secrets are kept, and are in no file', async () => {
  const { apply, ask, exported, plan } = await start();

  const made = await apply(sources);
  expect(made.filter((line) => /^\S|^ {2}\S/.test(line))).toEqual([
    '2 changes:',
    '  + directory Company',
    '  + OpenID provider portal',
  ]);
  expect(made).toContain('    + hostname: ldap.example.com');
  expect(await plan(sources)).toEqual([]);
  const [directory] = (await ask({ method: 'GET', path: '/v2/ldap' })) as readonly object[];
  const body = { ...directory, login: 'cn=reader', password: 'known to few' };
  await ask({ method: 'POST', path: '/v1/command/ldap/update', body });

  const changed =
    'directories: [{display_name: company, port: 389, ssl: false, start_tls: true, password_env: LOOKUP_PASSWORD}]';
  await expect(apply(changed)).rejects.toThrow(
    'directory company: password_env names the environment variable LOOKUP_PASSWORD, which is not set. Nothing was changed',
  );
  vi.stubEnv('LOOKUP_PASSWORD', 'known to few');
  expect(await apply(changed)).toEqual([
    '1 change:',
    '  ~ directory company',
    '    ~ display_name: Company -> company',
    '    ~ port: 636 -> 389',
    '    ~ ssl: true -> false',
    '    ~ start_tls: false -> true',
  ]);
  const text = await exported();
  expect(text).toMatch(
    /directories:\n- display_name: company\n {2}hostname: ldap\.example\.com\n {2}port: 389\n/,
  );
  expect(text).toContain('login: cn=reader');
  expect(text).not.toMatch(/known to few|password|secret|\bid:/);
  expect(await plan(text)).toEqual([]);
});

test('the SAML provider is made, exported and changed', async () => {
  const { apply, exported, plan } = await start();
  const [certificate] = rootCertificates;
  const provider = (settings: object) =>
    JSON.stringify({ saml_providers: [{ display_name: 'Portal', ...settings }] });
  const whole = {
    idp_entity_id: 'https://idp.example.com',
    idp_sso_url: 'https://idp.example.com/sso',
    idp_certificate: certificate,
    user_lookup_attr: 'uid',
  };

  expect((await apply(provider(whole)))[1]).toBe('  + SAML provider Portal');
  expect(await plan(await exported())).toEqual([]);
  expect(await plan(provider(whole))).toEqual([]);
  expect(await apply(provider({ user_lookup_attr: 'mail' }))).toEqual([
    '1 change:',
    '  ~ SAML provider Portal',
    '    ~ user_lookup_attr: uid -> mail',
  ]);
});

test.each([
  ['users: [{login: ann, roles: [Nobody]}]', 'user ann: there is no role Nobody; there are Administrators'],
  ['users: [{login: admin, roles: []}]', "user admin: it is always there and can't be changed"],
  ['roles: [{name: Operators, permissions: []}]', "role Operators: it is always there and can't be changed"],
  ['users: [{login: ann}, {login: ann}]', 'The files name the user ann twice'],
  ['users: [{login: ann, password: x}]', 'access.yaml: users.0: Unrecognized key: "password"'],
  [
    'roles: [{name: A, permissions: [tasks]}]',
    "access.yaml: roles.0.permissions.0: 'tasks' is not TYPE:ACTION",
  ],
  [
    'directories: [{display_name: A, password: x}]',
    "access.yaml: directories.0: 'password' is a secret: name an environment variable that has it as 'password_env'",
  ],
  ['openid_providers: [{issuer: "https://a.test"}]', "OpenID provider: it needs 'name'"],
  ['directories: [{display_name: A}, {display_name: A}]', 'The files name the directory A twice'],
  ['roles: [', 'access.yaml: '],
])('%s is refused before anything changes', async (text, message) => {
  const { plan } = await start();

  await expect(plan(text)).rejects.toThrow(message);
});

test('a step that is refused says what was done before it', async () => {
  const { apply } = await start();
  const text = 'roles: [{name: A, permissions: [tasks:run]}, {name: B, permissions: [tasks:dance]}]';

  await expect(apply(text)).rejects.toThrow(
    /^role B: .*there is no permission tasks:dance.*\. Changed before: role A$/,
  );
});
