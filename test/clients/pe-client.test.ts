/** A session of the public Ruby client `pe_client`, recorded from a primary: users, roles, tokens, groups, activity. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeMigrations } from '../../src/platform/changes/index.ts';
import { createHttpServer, type HttpServer } from '../../src/platform/http/index.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase } from '../../src/platform/storage/index.ts';
import { ActivityStore, activityRoutes } from '../../src/services/activity/index.ts';
import {
  CheckInStore,
  Classifier,
  checkInRoutes,
  classifierMigrations,
  classifierRoutes,
  GroupStore,
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

let directory: string;
let database: Database;
let http: HttpServer;
let url: string;
let token: string;

beforeAll(async () => {
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
  const none = { kind: 'certname', allows: () => false } as const;
  const users = { kind: 'permission', permission: { objectType: 'node_groups', action: 'view' } } as const;
  http = createHttpServer({
    routes: [
      ...rbacRoutes(rbac, none),
      ...classifierRoutes(classifier, { view: users, viewSome: users, modify: users, servers: users }),
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
  token = await rbac.tokens.vouch(user, {}, { ...actor, author });
  url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});

afterAll(async () => {
  await http.drain(0);
  await database.close();
  rmSync(directory, { recursive: true });
});

async function send({ body, method, path }: RecordedRequest): Promise<Answer & { readonly status: number }> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-authentication': token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    location: response.headers.get('location') ?? undefined,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** The client raises an error for every other status. */
const isAccepted = (status: number): boolean => (status >= 200 && status <= 299) || status === 303;

test('each call of the session is answered as the client wants it', async () => {
  const session = new RecordedSession();

  const refused: string[] = [];
  for (const recorded of readRequests('pe-client')) {
    const request = session.fill(recorded);
    const answer = await send(request);
    if (isAccepted(answer.status)) session.learn(recorded, answer);
    else refused.push(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  expect(refused).toEqual([]);
});
