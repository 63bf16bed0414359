/** Sessions of public clients of Puppet Enterprise's APIs, recorded while they spoke to a primary. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeMigrations } from '../../src/platform/changes/index.ts';
import { createHttpServer, type HttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../src/platform/storage/index.ts';
import { ActivityStore, activityRoutes } from '../../src/services/activity/index.ts';
import {
  CheckInStore,
  Classifier,
  ClassList,
  checkInRoutes,
  classifierMigrations,
  classifierRoutes,
  classRoutes,
  GroupStore,
  readClasses,
} from '../../src/services/classifier/index.ts';
import {
  apiUserSubject,
  createRbac,
  RbacStore,
  rbacMigrations,
  rbacRoutes,
} from '../../src/services/rbac/index.ts';
import { directoryOptions } from '../support/directory-options.ts';
import { type Answer, type RecordedRequest, RecordedSession, readRequests } from './recorded-session.ts';

const classWorker = new URL('../../src/services/classifier/classes/class-worker.ts', import.meta.url);

let directory: string;
let database: Database;
let http: HttpServer;
let url: string;
let token: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bunraku-clients-'));
  database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
  await migrate(database, [...changeMigrations, ...rbacMigrations, ...classifierMigrations]);
  const clock = { log: silentLogger, now: () => new Date(), newId: randomUUID };
  const rbac = createRbac({
    ...clock,
    store: new RbacStore(database),
    tokenLifetimeSeconds: 3600,
    mostTokenLifetimeSeconds: 86_400,
    mostFailedLogins: 10,
    passwordCost: { N: 1024, r: 8, p: 1 },
    directories: directoryOptions(database),
  });
  const classifier = await Classifier.open({
    ...clock,
    store: new GroupStore(database),
    primary: 'primary.test',
  });
  const manifest = join(directory, 'site.pp');
  writeFileSync(manifest, 'class motd($content = undef) { }');
  const classes = new ClassList({
    ...clock,
    live: () => [{ environment: 'production', version: '1', places: [manifest] }],
    read: (places) => readClasses(places, classWorker),
  });
  const none = { kind: 'certname', allows: () => false } as const;
  const users = { kind: 'permission', permission: { objectType: 'node_groups', action: 'view' } } as const;
  http = createHttpServer({
    routes: [
      ...rbacRoutes(rbac, none),
      ...classifierRoutes(classifier, { view: users, viewSome: users, modify: users, servers: users }),
      ...classRoutes(classes, { view: users, modify: users }, classifier),
      ...checkInRoutes(new CheckInStore(database), users),
      ...activityRoutes({
        store: new ActivityStore(database),
        operators: none,
        certificates: apiUserSubject,
      }),
    ],
    authorization: { rules: [], allowHeaderCertInfo: false },
    authenticate: rbac.tokens.authenticate,
    log: silentLogger,
  });
  const actor = { ...(await rbac.users.get(apiUserSubject.id)), permits: () => true };
  const author = { kind: 'server', id: '', name: 'test' } as const;
  const administrator = { login: 'root1', displayName: '', email: '', roleIds: [1] };
  const user = await rbac.users.create(administrator, undefined, { ...actor, author });
  await rbac.users.create({ ...administrator, login: 'lee' }, 'horse battery staple 9', { ...actor, author });
  token = await rbac.tokens.vouch(user, {}, { ...actor, author });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});

afterEach(async () => {
  await http.drain(0);
  await database.close();
  rmSync(directory, { recursive: true });
});

/** Not by `fetch`, which refuses what some clients do: GET with a body. */
async function send({ body, method, path }: RecordedRequest): Promise<Answer & { readonly status: number }> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
    'x-authentication': token,
  };
  const request = httpRequest(url + path, { method, headers });
  request.end(sent);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const isJson = response.headers['content-type']?.includes('json') === true;
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location,
    body: isJson ? JSON.parse(answer) : answer,
  };
}

/** The client raises an error for every other status. */
const isAccepted = (status: number): boolean => (status >= 200 && status <= 299) || status === 303;

test.each(['pe-client', 'puppet-classify', 'node-manager', 'go-pe-client'])(
  'each call of a session of %s is answered as the client wants it',
  async (name) => {
    const session = new RecordedSession();

    const different: string[] = [];
    for (const recorded of readRequests(name)) {
      const request = session.fill(recorded);
      const answer = await send(request);
      const { refused } = recorded;
      const isAsWanted = refused === undefined ? isAccepted(answer.status) : answer.status === refused;
      if (!isAsWanted)
        different.push(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      else if (refused === undefined) session.learn(recorded, answer);
    }

    expect(different).toEqual([]);
  },
);
