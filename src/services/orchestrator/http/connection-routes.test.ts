import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/json.ts';
import { changeMigrations } from '../../../platform/changes/index.ts';
import { createHttpServer, type HttpServer } from '../../../platform/http/index.ts';
import { silentLogger } from '../../../platform/log/index.ts';
import { type Database, migrate, openDirectDatabase } from '../../../platform/storage/index.ts';
import { Connections, connectionRoutes, DatabaseConnections, orchestratorMigrations } from '../index.ts';

const seal = {
  close: (text: string) => Buffer.from(text).toString('hex'),
  open: (text: string) => Buffer.from(text, 'hex').toString('utf8'),
};
const ssh = {
  certnames: ['One.example.vm', 'two.example.vm'],
  type: 'ssh',
  parameters: { user: 'deploy', 'run-as': 'root', port: 2222 },
  sensitive_parameters: { password: 'geheim', 'sudo-password': 'geheimer' },
  duplicates: 'error',
};

let directory: string;
let database: Database;
let connections: Connections;
let http: HttpServer;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-connections-'));
  database = await openDirectDatabase({ kind: 'sqlite', path: join(directory, 'database.sqlite') }, 'writer');
  await migrate(database, [...changeMigrations, ...orchestratorMigrations]);
  connections = await load();
  http = createHttpServer({
    routes: connectionRoutes({
      connections,
      allow: { kind: 'permission', permission: { objectType: 'orchestrator', action: 'view' } },
    }),
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: (login, address) => {
      const permits = ({ objectType }: { readonly objectType: string }) =>
        login === 'admin' || objectType === 'orchestrator';
      return Promise.resolve({ kind: 'user', id: login, login, permits, address });
    },
    log: silentLogger,
  });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}/inventory/v1`;
});
afterEach(async () => {
  await http.drain(100);
  await database.close();
  rmSync(directory, { recursive: true });
});

async function load(): Promise<Connections> {
  let ids = 0;
  const store = new DatabaseConnections(database, seal);
  const loaded = new Connections({ store, nowMs: () => 0, newId: () => `entry ${(ids += 1)}` });
  await loaded.load();
  return loaded;
}

async function ask(path: string, body?: unknown, token = 'admin') {
  const answer = await fetch(url + path, {
    headers: { 'x-authentication': token },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
}

test('an entry is kept for each node, and its secrets are shown nowhere', async () => {
  const { body, status } = await ask('/command/create-connection', ssh);

  expect([status, body]).toEqual([201, { connection_id: 'entry 1' }]);
  const item = {
    connection_id: 'entry 1',
    certnames: ['one.example.vm', 'two.example.vm'],
    type: 'ssh',
    parameters: {
      user: 'deploy',
      port: 2222,
      'connect-timeout': 10,
      tmpdir: '/tmp',
      'run-as': 'root',
      'host-key-check': true,
    },
  };
  expect((await ask('/query/connections')).body).toEqual({ items: [item] });
  expect((await ask('/query/connections?certname=two.example.vm&sensitive=true')).body).toEqual({
    items: [{ ...item, certnames: ['two.example.vm'] }],
  });
  const some = { certnames: ['one.example.vm'], extract: ['type'], sensitive: true };
  expect((await ask('/query/connections', some)).body).toEqual({
    items: [{ connection_id: 'entry 1', type: 'ssh' }],
  });
  // As after a restart.
  const again = await load();
  expect(again.find('one.example.vm')?.parameters.isSuperuser).toBe(true);
  expect(await again.secretsOf('one.example.vm')).toEqual({ password: 'geheim', sudoPassword: 'geheimer' });
  await database.close();
  expect(readFileSync(join(directory, 'database.sqlite'), 'latin1')).not.toContain('geheim');
  database = await openDirectDatabase({ kind: 'sqlite', path: join(directory, 'database.sqlite') }, 'writer');
});

test('entries are replaced when that is asked for, and deleted', async () => {
  await ask('/command/create-connection', ssh);

  const twice = await ask('/command/create-connection', ssh);
  const replaced = await ask('/command/create-connection', {
    ...ssh,
    certnames: ['one.example.vm'],
    parameters: { user: 'other', hostname: '192.0.2.1' },
    duplicates: 'replace',
  });
  const deleted = await ask('/command/delete-connection', { certnames: ['two.example.vm', 'unknown'] });

  expect(twice).toMatchObject({ status: 409, body: { kind: 'puppetlabs.inventory/duplicate-certnames' } });
  expect([replaced.status, deleted.status]).toEqual([201, 204]);
  expect((await ask('/query/connections')).body).toMatchObject({
    items: [
      {
        connection_id: 'entry 2',
        certnames: ['one.example.vm'],
        parameters: { user: 'other', hostname: '192.0.2.1' },
      },
    ],
  });
});

test('who may not edit the inventory adds and deletes nothing', async () => {
  expect((await ask('/command/create-connection', ssh, 'viewer')).status).toBe(403);
  expect((await ask('/command/delete-connection', { certnames: ['a'] }, 'viewer')).status).toBe(403);
  expect(connections.all()).toEqual([]);
});

test.each([
  [{ type: 'winrm' }],
  [{ certnames: [] }],
  [{ certnames: ['-oProxyCommand=x'] }],
  [{ parameters: {} }],
  [{ parameters: { user: '-oProxyCommand=x' } }],
  [{ parameters: { user: 'a', hostname: '-x' } }],
  [{ parameters: { user: 'a', hostname: 'for-two' } }],
  [{ parameters: { user: 'a', 'run-as': 'fred' } }],
  [{ parameters: { user: 'a', tmpdir: "/tmp/'; rm" } }],
  [{ sensitive_parameters: {} }],
])('%j is refused', async (more) => {
  const { body, status } = await ask('/command/create-connection', { ...ssh, ...more });

  expect([status, body['kind']]).toEqual([400, 'puppetlabs.inventory/schema-validation-error']);
});

test('connections may have groups, which jobs and plans name', async () => {
  const of = (certname: string, groups: readonly string[]) =>
    ask('/command/create-connection', {
      ...ssh,
      certnames: [certname],
      parameters: { ...ssh.parameters, groups },
    });

  await of('two.example.vm', ['db', 'web']);
  await of('one.example.vm', ['db']);

  expect((await ask('/query/connections?certname=two.example.vm')).body).toMatchObject({
    items: [{ parameters: { groups: ['db', 'web'] } }],
  });
  expect([...(await load()).groups()]).toEqual([
    ['db', ['one.example.vm', 'two.example.vm']],
    ['web', ['two.example.vm']],
  ]);
  expect((await of('three.example.vm', ['all'])).status).toBe(400);
  expect((await of('three.example.vm', ['Db'])).status).toBe(400);
});
