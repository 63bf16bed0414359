/**
 * Every route of every port, asked by everybody and in all ways: nothing fails that should not, and who is let in is
 * compared with the table beside this file.
 *
 * The table is to be read: a line that changes changes who may do what. `UPDATE=1` writes it anew.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../demo/ports.ts';
import { HttpClient } from '../../src/platform/http-client/index.ts';
import {
  type Answer,
  type Caller,
  call,
  claimsOf,
  issuedBeside,
  ownCertificate,
  revoke,
  signedBy,
} from './support/callers.ts';
import { oddRequests } from './support/odd-requests.ts';
import { scenarios } from './support/requirements.ts';
import { runningSite, type Site } from './support/site.ts';

const table = join(import.meta.dirname, 'who-may-call.txt');
const password = 'correct horse';
const otherNode = 'other.e2e.test';

/** Extensions of certificates, as OpenSSL wants them. */
const role = '1.3.6.1.4.1.34380.1.1.13=ASN1:UTF8String:compile_server';
const authRole = '1.3.6.1.4.1.34380.1.3.13=ASN1:UTF8String:pe_compiler';
const cliAuth = '1.3.6.1.4.1.34380.1.3.39=ASN1:UTF8String:true';

const [usersPort, puppetDbPort, codePort, jobsPort, consolePort] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
];

scenarios('Every route of every port', () => {
  const settings = {
    node_terminus: 'classifier',
    console_services_port: usersPort,
    puppetdb_port: puppetDbPort,
    code_manager_port: codePort,
    orchestrator_port: jobsPort,
    console_port: consolePort,
    log_level: 'debug',
  };
  const site = runningSite({ compileServers: 1, settings }, ({ installation }) => {
    mkdirSync(installation.primaryDirectory, { recursive: true });
    writeFileSync(join(installation.primaryDirectory, 'r10k.yaml'), '---\nsources: {}\n');
  });
  test('answers odd requests, none with an unexpected error', async () => {
    const all = portsOf(site()).flatMap(({ port, routes }) => routes.map((route) => ({ port, route })));
    const callers = await insidersOf(site());
    const failures: unknown[] = [];
    const statuses = new Set<Answer['status']>();

    for (const { port, route } of all.filter(({ route: each }) => !isOutOfTheQuestion(each)))
      for (const odd of oddRequests(route)) {
        const caller = route.includes(' /puppet/v3/') ? callers.agent : callers.primary;
        const isForMembers = /outbox|check-in/.test(route);
        const answer = await call(port, isForMembers ? callers.member : caller, odd, 10_000);
        statuses.add(answer.status);
        const isUnexpected =
          typeof answer.status === 'string' || answer.text.includes('Internal Server Error');
        if (isUnexpected)
          failures.push({ route, path: odd.path, body: odd.body?.toString('latin1').slice(0, 500), answer });
      }

    expect(failures).toEqual([]);
    expect(Array.from(statuses)).toEqual(expect.arrayContaining([200, 400, 403, 404, 406]));
    for (const { port } of all)
      expect(
        (await call(port, callers.primary, { method: 'GET', path: '/status/v1/simple' })).status,
      ).not.toBe('refused');
  });

  test('of the console needs a session or a token, and certificates count for nothing there', async () => {
    const [{ routes } = { routes: [] }] = servedBy(site(), 'primary').filter(
      ({ port }) => port === consolePort,
    );
    const isPublic = (route: string) =>
      /^(GET|POST) (\/|\/\*|\/login|\/auth\/login|\/auth\/reset|\/auth\/(sso|oidc)\/.*|\/saml\/v1\/.*|\/status\/v1\/.*)$/.test(
        route,
      );
    const certified = {
      name: 'the primary',
      certificate: ownCertificate(join(site().directory, 'primary', 'puppet', 'ssl'), 'primary.bunraku.test'),
    };
    const letIn: string[] = [];

    for (const route of routes.filter((each) => !isPublic(each)))
      for (const caller of [{ name: 'no certificate' }, certified]) {
        const [method = '', pattern = ''] = route.split(' ');
        const path = pattern.replaceAll(/:\w+/g, 'x').replace('*', 'x');
        const { status } = await call(consolePort, caller, { method, path });
        if (status !== 401 && status !== 403) letIn.push(`${caller.name}: ${route} ${status}`);
      }

    expect(letIn).toEqual([]);
    expect(
      routes.filter((route) => / \/(puppet\/|outbox|packages|file-sync\/v1\/packs)/.test(route)),
    ).toEqual([]);
    for (const api of [
      'pdb',
      'classifier-api',
      'rbac-api',
      'activity-api',
      'orchestrator',
      'code-manager',
      'puppet-ca',
      'infrastructure',
    ])
      expect(
        routes.filter((route) => route.split(' ')[1]?.startsWith(`/${api}/`)),
        api,
      ).not.toEqual([]);
  });

  test('lets in whom the table names', async () => {
    const found = await tableOf(site());
    if (process.env['UPDATE'] !== undefined) writeFileSync(table, `${found.join('\n')}\n`);
    const expected = existsSync(table) ? readFileSync(table, 'utf8').trimEnd().split('\n') : [];

    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(200);
  });
});

/** A port of a server, and what it serves. */
interface Port {
  readonly name: string;
  readonly port: number;
  readonly routes: readonly string[];
}

async function tableOf(site: Site): Promise<readonly string[]> {
  const callers = await callersOf(site);
  const ports = portsOf(site).map((port) => ({ ...port, lines: new Map<string, string>() }));
  const all = ports.flatMap((port) => port.routes.map((each) => ({ port, each })));
  // A member that has left may call nothing any more, and its server has ended.
  const inOrder = [
    ...all.filter(({ each }) => !isFarewell(each)),
    ...all.filter(({ each }) => isFarewell(each)),
  ];
  for (const { port, each } of inOrder) port.lines.set(each, await lineOf(each, port.port, callers));
  const header = callers.map(({ name }, index) => `${'|'.repeat(index)}${name}`);
  const tables = ports.map(({ name, routes, lines }) => [
    '',
    name,
    ...routes.toSorted(byPath).map((each) => lines.get(each) ?? ''),
  ]);
  return [...header, ...tables.sort(byName).flat()];
}

const byName = ([, one = '']: readonly string[], [, other = '']: readonly string[]): number =>
  one < other ? -1 : 1;

const byPath = (one: string, other: string): number => (pathFirst(one) < pathFirst(other) ? -1 : 1);

const pathFirst = (route: string): string => route.split(' ').toReversed().join(' ');

const isFarewell = (each: string): boolean => each.endsWith('/leave');

async function lineOf(text: string, port: number, callers: readonly Caller[]): Promise<string> {
  const [method = '', pattern = ''] = text.split(' ');
  const verdicts: string[] = [];
  const body = method === 'PUT' || method === 'POST' ? { body: Buffer.from('{}') } : {};
  const headers = { accept: '*/*', 'content-type': 'application/json' };
  for (const caller of callers) {
    const path = pattern
      .replace('revocation_list/:certname', 'revocation_list/ca')
      .replace(/:(?:certname|node|name|host|key|subject)\b/, caller.asksFor ?? otherNode)
      .replaceAll(/:\w+/g, 'x')
      .replace('*', 'x');
    verdicts.push(
      letterOf(
        await call(
          port,
          caller,
          { method, path: `${path}?environment=production`, headers, ...body },
          isHeld(text) ? 1500 : 60_000,
        ),
      ),
    );
  }
  return `${verdicts.join('')} ${text}`;
}

/** Whether the answer waits for something to happen, or never ends: asking longer tells nothing more. */
const isHeld = (each: string): boolean => /latest-commits|events/.test(each);

/** `-` no connection, `?` who are you, `.` you may not, `+` let in, whatever the answer is. */
function letterOf({ status }: Answer): string {
  if (status === 'refused') return '-';
  if (status === 401) return '?';
  return status === 403 ? '.' : '+';
}

function portsOf(site: Site): readonly Port[] {
  const { ports } = site.installation.options;
  const names = new Map([
    [ports.primary, 'primary, for agents'],
    [puppetDbPort, 'primary, PuppetDB'],
    [codePort, 'primary, code manager'],
    [usersPort, 'primary, users and groups'],
    [jobsPort, 'primary, jobs'],
  ]);
  // What the console serves is a part of the others, to fewer: a test of its own says so.
  const ofPrimary = servedBy(site, 'primary')
    .filter(({ port }) => port !== consolePort)
    .map((each) => ({ ...each, name: names.get(each.port) ?? 'primary, ?' }));
  return [
    ...ofPrimary,
    ...servedBy(site, 'compile1').map((each) => ({ ...each, name: 'compile server, for agents' })),
  ];
}

function servedBy(
  site: Site,
  server: string,
): readonly { readonly port: number; readonly routes: readonly string[] }[] {
  return site
    .logOf(server)
    .flatMap(({ port, routes }) =>
      typeof port === 'number' && Array.isArray(routes) ? [{ port, routes: routes as string[] }] : [],
    );
}

async function callersOf(site: Site): Promise<readonly Caller[]> {
  const ssl = (server: string) => join(site.directory, server, 'puppet', 'ssl');
  const primary = ownCertificate(ssl('primary'), 'primary.bunraku.test');
  const read = (name: string) => readFileSync(join(site.directory, 'primary', 'ca', name), 'utf8');
  const authority = { certificate: read('ca_crt.pem'), privateKey: read('ca_key.pem') };
  const revoked = await signedBy(site, 'revoked.e2e.test');
  await revoke(site, 'revoked.e2e.test');
  const agent = await signedBy(site, 'agent.e2e.test');
  await makeUsers(site);
  return [
    { name: 'no certificate' },
    { name: 'no certificate, with the headers of a proxy that name the primary', headers: claimsOf(primary) },
    {
      name: 'a certificate of another authority, with the name of the primary',
      certificate: issuedBeside('primary.bunraku.test', [cliAuth]),
    },
    {
      name: 'an expired certificate of an operator',
      certificate: issuedBeside('expired.e2e.test', [cliAuth], authority, -1),
    },
    { name: 'a revoked agent, for itself', certificate: revoked, asksFor: 'revoked.e2e.test' },
    { name: 'an agent, for itself', certificate: agent, asksFor: 'agent.e2e.test' },
    { name: 'an agent, for another', certificate: agent },
    { name: 'an agent, with the headers of a proxy', certificate: agent, headers: claimsOf(primary) },
    { name: 'an agent with pp_role', certificate: await signedBy(site, 'role.e2e.test', [role]) },
    {
      name: 'an agent with the name of the primary among its alternative names',
      certificate: await signedBy(site, 'names.e2e.test', ['subjectAltName=DNS:primary.bunraku.test']),
    },
    { name: 'a member', certificate: ownCertificate(ssl('compile1'), 'compile1.bunraku.test') },
    { name: 'a node with pp_auth_role', certificate: await signedBy(site, 'auth.e2e.test', [authRole]) },
    { name: 'an operator (pp_cli_auth)', certificate: issuedBeside('cli.e2e.test', [cliAuth], authority) },
    { name: 'the primary', certificate: primary },
    { name: 'an unknown token', headers: { 'x-authentication': '0'.repeat(44) } },
    { name: 'a viewer', headers: await tokenOf(site, 'vera') },
    { name: 'an operator (user)', headers: await tokenOf(site, 'olga') },
    { name: 'an administrator', headers: await tokenOf(site, 'ada') },
  ];
}

/** What waits for something to happen, ends a server's membership, or sends everything there is. */
const isOutOfTheQuestion = (each: string): boolean =>
  isFarewell(each) || /latest-commits|packs$|admin\/v1\/archive|servers\/:certname/.test(each);

/** Those who are let in wherever something can be done. */
async function insidersOf(site: Site): Promise<Readonly<Record<'primary' | 'member' | 'agent', Caller>>> {
  const ssl = (server: string) => join(site.directory, server, 'puppet', 'ssl');
  return {
    primary: { name: 'the primary', certificate: ownCertificate(ssl('primary'), 'primary.bunraku.test') },
    member: { name: 'a member', certificate: ownCertificate(ssl('compile1'), 'compile1.bunraku.test') },
    agent: { name: 'an agent', certificate: await signedBy(site, 'odd.e2e.test') },
  };
}

async function makeUsers({ installation }: Site): Promise<void> {
  const administrator = installation.operator();
  try {
    for (const [login, roleId] of [
      ['vera', 3],
      ['olga', 2],
      ['ada', 1],
    ] as const) {
      const body = JSON.stringify({ login, email: '', display_name: login, role_ids: [roleId], password });
      const url = `https://localhost:${usersPort}/rbac-api/v1/users`;
      const headers = { 'content-type': 'application/json' };
      const { status, body: answer } = await administrator.send({ method: 'POST', url, headers, body });
      if (status >= 400) throw new Error(`${login}: ${status} ${answer.toString('utf8')}`);
    }
  } finally {
    administrator.close();
  }
}

async function tokenOf({ installation }: Site, login: string): Promise<Readonly<Record<string, string>>> {
  const ca = readFileSync(join(installation.primaryDirectory, 'puppet', 'ssl', 'certs', 'ca.pem'), 'utf8');
  const client = new HttpClient({ ca });
  try {
    const { body } = await client.send({
      method: 'POST',
      url: `https://localhost:${usersPort}/rbac-api/v1/auth/token`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login, password }),
    });
    return { 'x-authentication': String((JSON.parse(body.toString('utf8')) as { token?: string }).token) };
  } finally {
    client.close();
  }
}
