import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends, type RunningBackend } from '../../../test/support/backends.ts';
import { checkedRoutes } from '../../../test/support/checked-routes.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type Author, type Change, changeMigrations, insertChange } from '../../platform/changes/index.ts';
import {
  createHttpServer,
  type HttpServer,
  TrustedProxies,
  type WantedPermission,
} from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import {
  type Database,
  migrate,
  openDirectDatabase,
  openSqliteDatabase,
} from '../../platform/storage/index.ts';
import { ActivityStore, activityRoutes } from './index.ts';

const ada: Author = { kind: 'user', id: 'u1', name: 'ada', address: '192.0.2.1' };
const operator: Author = {
  kind: 'certificate',
  id: 'primary.test',
  name: 'primary.test',
  address: '192.0.2.2',
};

function change(
  day: number,
  author: Author,
  object: readonly [service: string, type: string, id: string],
): Change {
  const [service, type, id] = object;
  return {
    author,
    time: new Date(Date.UTC(2026, 0, day)),
    object: { service, type, id, name: `name of ${id}` },
    events: [
      { action: 'edit', what: 'class', message: `Added a class, "quoted", on day ${day}` },
      { action: 'edit', what: 'rule', message: `Changed the rule on day ${day}` },
    ],
    after: { secret: 'value of a parameter' },
  };
}

const changes = [
  change(1, ada, ['classifier', 'node_groups', 'g1']),
  change(2, operator, ['classifier', 'node_groups', 'g2']),
  change(3, ada, ['rbac', 'users', 'u2']),
  change(4, { kind: 'server', id: '', name: 'Bunraku' }, ['classifier', 'node_groups', 'g1']),
];

/** Tokens, and what those who have them may do. */
const tokens: Readonly<Record<string, readonly string[]>> = {
  viewer: ['node_groups:view'],
  manager: ['node_groups:view', 'users:edit'],
  /** Sees some groups, and not the one that a change is of. */
  partial: ['node_groups:view some'],
  stranger: [],
};

let directory: string;
let database: Database;
let http: HttpServer;
let url: string;

async function ask(path: string, who: string) {
  const headers: Record<string, string> = { 'x-client-verify': 'NONE' };
  if (who in tokens) headers['x-authentication'] = who;
  if (who === 'operator.test')
    Object.assign(headers, { 'x-client-verify': 'SUCCESS', 'x-client-dn': `CN=${who}` });
  const answer = await fetch(`${url}/activity-api/${path}`, { headers });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, text, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** The days of the changes that are found. */
async function days(path: string, who = 'manager'): Promise<readonly number[]> {
  const { body, status, text } = await ask(path, who);
  expect(status, text).toBe(200);
  const commits = body['commits'] as readonly { readonly timestamp: string }[];
  return commits.map(({ timestamp }) => new Date(timestamp).getUTCDate());
}

const query = (...items: readonly object[]): string =>
  `v2/events?query=${encodeURIComponent(JSON.stringify(items))}`;

describe.each(backends.filter(({ isInstalled }) => isInstalled))('On $name', (backend) => {
  let running: RunningBackend;

  beforeAll(async () => {
    running = await backend.start();
    directory = mkdtempSync(join(tmpdir(), 'bunraku-activity-'));
    const { location } = running;
    database =
      location === undefined
        ? await openSqliteDatabase({ path: join(directory, 'database.sqlite') })
        : await openDirectDatabase(location, 'writer');
    await migrate(database, changeMigrations);
    http = createHttpServer({
      routes: checkedRoutes(
        activityRoutes({
          store: new ActivityStore(database),
          operators: { kind: 'certname', allows: (certname) => certname === 'operator.test' },
          certificates: { id: 'api-user' },
        }),
      ),
      authorization: { rules: [], allowHeaderCertInfo: true },
      trustedProxies: new TrustedProxies(['127.0.0.1', '::1']),
      async authenticate(token, address) {
        const permissions = tokens[token];
        if (permissions === undefined) throw new ServiceError('unauthorized', 'no such token');
        const permits = ({ action, instance, objectType }: WantedPermission) =>
          permissions.includes(`${objectType}:${action}`) ||
          (instance === undefined && permissions.includes(`${objectType}:${action} some`));
        return { kind: 'user', id: token, login: token, permits, address };
      },
      log: silentLogger,
    });
    url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  });

  beforeEach(async () => {
    await new ActivityStore(database).removeBefore(new Date('2100-01-01'));
    for (const each of changes) await database.write([insertChange(each)]);
  });

  afterAll(async () => {
    await http.drain(0);
    await database.close();
    await running.stop();
    rmSync(directory, { recursive: true });
  });

  test('the first version gives the changes of a service, the last one first, as clients know them', async () => {
    const { body } = await ask('v1/events?service_id=classifier&limit=1&offset=1', 'manager');

    expect(body).toEqual({
      commits: [
        {
          object: { id: 'g2', name: 'name of g2' },
          subject: { id: 'api-user', name: 'primary.test' },
          timestamp: '2026-01-02T00:00:00.000Z',
          events: [
            { message: 'Added a class, "quoted", on day 2' },
            { message: 'Changed the rule on day 2' },
          ],
        },
      ],
      limit: 1,
      offset: 1,
      'total-rows': 3,
    });
  });

  test.each([
    ['service_id=classifier&order=asc', [1, 2, 4]],
    ['service_id=classifier&subject_type=users', [2, 1]],
    ['service_id=classifier&subject_type=users&subject_id=u1,api-user', [2, 1]],
    ['service_id=classifier&subject_type=users&subject_id=api-user', [2]],
    ['service_id=classifier&subject_type=server', [4]],
    ['service_id=classifier&object_type=node_groups&object_id=g1', [4, 1]],
    ['service_id=classifier&object_type=users', []],
    ['service_id=classifier&after_service_commit_time=2026-01-01T12:00:00Z', [4, 2]],
    ['service_id=unknown', []],
  ])('v1/events?%s finds those of the days %j', async (parameters, expected) => {
    expect(await days(`v1/events?${parameters}`)).toEqual(expected);
  });

  test('the second version gives all services at once, with addresses', async () => {
    const { body } = await ask('v2/events?limit=1&offset=1', 'manager');

    expect(body['commits']).toEqual([
      {
        service_id: 'rbac',
        objects: [{ id: 'u2', name: 'name of u2', type: 'users' }],
        subject: { id: 'u1', name: 'ada' },
        timestamp: '2026-01-03T00:00:00.000Z',
        ip_address: '192.0.2.1',
        events: [
          { type: 'edit', what: 'class', message: 'Added a class, "quoted", on day 3' },
          { type: 'edit', what: 'rule', message: 'Changed the rule on day 3' },
        ],
      },
    ]);
  });

  test.each([
    [[{ object_type: 'users' }], [3]],
    [
      [{ object_type: 'users' }, { object_type: 'node_groups', object_id: 'g2' }],
      [3, 2],
    ],
    [[{ subject_type: 'users', subject_id: 'u1' }, { object_type: 'node_groups' }], [1]],
    [[{ ip_address: '192.0.2.2' }], [2]],
    [[{ start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' }], [3, 2]],
  ])('the query %j finds those of the days %j', async (items, expected) => {
    expect(await days(query(...items))).toEqual(expected);
  });

  test('as CSV there is a row for each event', async () => {
    const { text } = await ask('v1/events.csv?service_id=rbac', 'operator.test');

    expect(text.split('\n').slice(0, 2)).toEqual([
      'Submit Time,Subject Type,Subject Id,Subject Name,Object Type,Object Id,Object Name,Type,What,Description,Message',
      '2026-01-03T00:00:00.000Z,users,u1,ada,users,u2,name of u2,edit,class,edit_class,"Added a class, ""quoted"", on day 3"',
    ]);
    expect(text.trimEnd().split('\n')).toHaveLength(3);
  });

  test('users see what their roles let them see', async () => {
    expect(await days('v2/events', 'viewer')).toEqual([4, 2, 1]);
    expect(await days('v2/events', 'stranger')).toEqual([]);
    expect(await days('v2/events', 'operator.test')).toEqual([4, 3, 2, 1]);
    expect(await ask('v1/events?service_id=rbac', 'viewer')).toMatchObject({
      status: 403,
      body: { kind: 'puppetlabs.activity/permission-denied' },
    });
    expect((await ask('v2/events', 'anonymous')).status).toBe(401);
  });

  test.each([
    ['v1/events', 'service_id is missing'],
    ['v1/events?service_id=rbac&object_id=1', 'object_type is missing'],
    ['v1/events?service_id=rbac&limit=-1', "limit is '-1'"],
    ['v1/events?service_id=rbac&order=up', "order is 'up'"],
    ['v1/events?service_id=rbac&after_service_commit_time=now', "after_service_commit_time is 'now'"],
    ['v2/events?query=%7B', 'query is not JSON'],
    [query({ color: 'red' }), 'query 0: Unrecognized key: "color"'],
    [query({ object_id: 'x' }), 'query has object_id without object_type'],
  ])('%s is refused: %s', async (path, problem) => {
    const { status, text } = await ask(path, 'manager');

    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ msg: expect.stringContaining(problem) as unknown });
  });

  /** The days of the changes that the list of the console has. */
  const listed = async (parameters: string, who = 'manager') => {
    const { body, status, text } = await ask(`v2/changes?${parameters}`, who);
    expect(status, text).toBe(200);
    const { changes: found, next } = body as {
      readonly changes: readonly { readonly id: number; readonly time: string }[];
      readonly next: number | null;
    };
    return {
      days: found.map(({ time }) => new Date(time).getUTCDate()),
      ids: found.map(({ id }) => id),
      next,
    };
  };

  test.each([
    ['', [4, 3, 2, 1]],
    ['service=classifier', [4, 2, 1]],
    ['object_type=node_groups&object_id=g1', [4, 1]],
    ['by=ada', [3, 1]],
    ['q=PRIMARY', [2]],
    ['q=on%20day%203', [3]],
    ['q=%25', []],
    ['from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z', [3, 2]],
  ])('v2/changes?%s lists those of the days %j', async (parameters, expected) => {
    expect((await listed(parameters)).days).toEqual(expected);
  });

  test('the list of changes goes on after the last one of a page', async () => {
    const first = await listed('limit=2');
    const second = await listed(`limit=3&before=${first.next}`);

    expect(first).toMatchObject({ days: [4, 3], next: first.ids[1] });
    expect(second).toMatchObject({ days: [2, 1], next: null });
  });

  test('the list of changes shows the services that the roles of a user let him see', async () => {
    expect((await listed('', 'viewer')).days).toEqual([4, 2, 1]);
    expect((await listed('', 'stranger')).days).toEqual([]);
    expect((await ask('v2/changes?service=rbac', 'viewer')).status).toBe(403);
    expect((await ask('v2/changes?limit=501', 'viewer')).status).toBe(400);
    expect((await ask('v2/changes?from=now', 'viewer')).status).toBe(400);
  });

  test('one change has the values of its object for those who may read the object', async () => {
    const { ids } = await listed('service=classifier&limit=1');

    const whole = await ask(`v2/changes/${ids[0]}`, 'viewer');
    const part = await ask(`v2/changes/${ids[0]}`, 'partial');

    expect(whole.body).toMatchObject({
      id: ids[0],
      service: 'classifier',
      object: { type: 'node_groups', id: 'g1', name: 'name of g1' },
      by: { kind: 'server', id: '', name: 'Bunraku' },
      has_before: false,
      has_after: true,
      before: null,
      after: { secret: 'value of a parameter' },
      values_shown: true,
    });
    expect(part.body).toMatchObject({ id: ids[0], after: null, values_shown: false });
    expect((await ask(`v2/changes/${ids[0]}`, 'stranger')).status).toBe(404);
    expect((await ask('v2/changes/123456789', 'viewer')).status).toBe(404);
  });

  test('a spreadsheet computes nothing of an exported list', async () => {
    await database.write([insertChange(change(5, { ...ada, name: '=1+1' }, ['rbac', 'users', 'u2']))]);

    const { text } = await ask('v2/changes.csv?service=rbac&q=day%205', 'manager');

    expect(text.split('\n')[1]).toContain(",'=1+1,user,192.0.2.1,rbac,users,u2,");
  });

  test('changes are removed when they are old enough', async () => {
    expect(await new ActivityStore(database).removeBefore(new Date('2026-01-03T00:00:00Z'))).toBe(2);
    expect(await days('v2/events')).toEqual([4, 3]);
  });

  test('no answer has values of the object', async () => {
    const answers = await Promise.all([
      ask('v2/events', 'manager'),
      ask('v1/events.csv?service_id=rbac', 'manager'),
    ]);

    for (const { text } of answers) expect(text).not.toContain('value of a parameter');
  });
});
