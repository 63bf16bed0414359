import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, create, open, openDatabase } from './classifier.testing.ts';
import { rootId } from './group.ts';

afterEach(closeAll);

const www = ['~', ['trusted', 'certname'], 'www'];
const web = { fact: {}, trusted: { certname: 'www1.example.com' } };

describe('Groups', () => {
  test('begin with "All Nodes"', async () => {
    const client = await open();

    const { body, status } = await client.ask('GET', 'groups');

    expect(status).toBe(200);
    expect(body).toEqual([
      {
        name: 'All Nodes',
        id: rootId,
        environment: 'production',
        environment_trumps: false,
        parent: rootId,
        rule: ['and', ['~', 'name', '.*']],
        classes: {},
        variables: {},
        config_data: {},
        last_edited: '2026-01-02T03:04:05.678Z',
        serial_number: 1,
      },
    ]);
  });

  test('are there after a restart', async () => {
    const database = await openDatabase();
    const before = await open(database);
    const id = await create(before, { name: 'Webservers', rule: www, classes: { apache: { port: 80 } } });
    await before.ask('POST', `groups/${id}/pin?nodes=a%2Cb`);
    const written = await before.ask('GET', `groups/${id}`);

    const after = await open(database);

    expect((await after.ask('GET', `groups/${id}`)).body).toEqual(written.body);
    expect(written.body).toMatchObject({ rule: ['or', www, ['=', 'name', 'a'], ['=', 'name', 'b']] });
  });

  test('change by deltas, as the documentation shows it', async () => {
    const client = await open();
    const staging = await create(client, { name: 'Parent', environment: 'production' });
    const id = await create(client, {
      name: 'Webservers',
      environment: 'staging',
      rule: www,
      classes: {
        apache: { serveradmin: 'bofh@travaglia.net', keepalive_timeout: 5 },
        ssl: { keystore: '/etc/ssl/keystore' },
      },
      variables: { ntp_servers: ['0.us.pool.ntp.org', '1.us.pool.ntp.org'] },
    });

    const { body, status } = await client.ask('POST', `groups/${id}`, {
      name: 'Production Webservers',
      id,
      environment: 'production',
      parent: staging,
      classes: { apache: { serveradmin: 'roy@reynholm.co.uk', keepalive_timeout: null }, ssl: null },
      variables: { dns_servers: ['dns.reynholm.co.uk'] },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Production Webservers',
      environment: 'production',
      parent: staging,
      rule: www,
      serial_number: 2,
    });
    expect(body).toHaveProperty('classes', { apache: { serveradmin: 'roy@reynholm.co.uk' } });
    expect(body).toHaveProperty('variables', {
      ntp_servers: ['0.us.pool.ntp.org', '1.us.pool.ntp.org'],
      dns_servers: ['dns.reynholm.co.uk'],
    });
  });

  test('lose their rule where it is null or empty', async () => {
    const client = await open();
    const id = await create(client, { name: 'Webservers', rule: www });

    const { body } = await client.ask('POST', `groups/${id}`, { rule: null });

    expect(body).not.toHaveProperty('rule');
  });

  test('are put under an id of choice, and put again without a change', async () => {
    const client = await open();
    const id = 'fc500c43-5065-469b-91fc-37ed0e500e81';
    const group = { name: 'Webservers', parent: rootId, classes: {} };

    const made = await client.ask('PUT', `groups/${id}`, group);
    const again = await client.ask('PUT', `groups/${id}`, made.body);

    expect([made.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(made.body);
  });

  test('are deleted from below', async () => {
    const client = await open();
    const parent = await create(client, { name: 'Parent' });
    const child = await create(client, { name: 'Child', parent });

    const tooEarly = await client.ask('DELETE', `groups/${parent}`);
    const deleted = [
      await client.ask('DELETE', `groups/${child}`),
      await client.ask('DELETE', `groups/${parent}`),
    ];

    expect(tooEarly).toMatchObject({
      status: 422,
      body: {
        kind: 'children-present',
        msg: 'The group cannot be deleted because it has children: ["Child"]',
      },
    });
    expect(deleted.map(({ status }) => status)).toEqual([204, 204]);
    expect((await client.ask('GET', `groups/${child}`)).status).toBe(404);
  });

  test('refuse what makes no sense', async () => {
    const client = await open();
    const id = await create(client, { name: 'A' });
    const child = await create(client, { name: 'B', parent: id });
    const base = { parent: rootId, classes: {} };
    const missing = '22222222-2222-4222-8222-222222222222';

    const answers = await Promise.all(
      [
        ['POST', 'groups', { ...base, name: 'A' }],
        ['POST', 'groups', { ...base, name: 'C', parent: missing }],
        ['POST', `groups/${id}`, { parent: child }],
        ['POST', `groups/${rootId}`, { rule: null }],
        ['POST', `groups/${rootId}/pin`, { nodes: ['a'] }],
        ['POST', `groups/${id}`, { serial_number: 7 }],
        ['POST', `groups/${id}`, { id: child }],
        ['POST', 'groups', { name: 'C', parent: rootId }],
        ['POST', 'groups', { ...base, name: 'C', colour: 'red' }],
        ['POST', 'groups', { ...base, name: 'C', rule: ['xor'] }],
        ['POST', 'groups', '{'],
        ['POST', `groups/${id}/pin`, undefined],
        ['POST', `groups/${id}/pin`, { nodes: ['a'], colour: 'red' }],
        ['GET', 'groups/A', undefined],
        ['GET', `groups/${missing}`, undefined],
        ['POST', `groups/${missing}/pin`, { nodes: ['a'] }],
        ['GET', 'groups?limit=-1', undefined],
      ].map(([method, path, body]) => client.ask(method as string, path as string, body)),
    );

    expect(answers.map(({ body, status }) => [status, body['kind']])).toEqual([
      [422, 'uniqueness-violation'],
      [422, 'missing-parent'],
      [422, 'inheritance-cycle'],
      [422, 'root-rule-edit'],
      [422, 'root-rule-edit'],
      [409, 'serial-number-conflict'],
      [400, 'conflicting-ids'],
      [400, 'schema-violation'],
      [400, 'schema-violation'],
      [400, 'schema-violation'],
      [400, 'malformed-request'],
      [400, 'missing-parameters'],
      [400, 'schema-violation'],
      [400, 'malformed-uuid'],
      [404, 'not-found'],
      [404, 'not-found'],
      [400, 'illegal-count'],
    ]);
    expect(answers[2]?.body['msg']).toContain('Detected group inheritance cycle: ');
    expect((await client.ask('GET', `groups/${id}`)).body).toHaveProperty('serial_number', 1);
  });
});

test('a hierarchy moves from one classifier to another, whole or not at all', async () => {
  const from = await open();
  const parent = await create(from, { name: 'Parent', rule: www, classes: { ntp: {} } });
  await create(from, { name: 'Child', parent, rule: ['=', 'name', 'x'] });
  const { body: groups } = await from.ask('GET', 'groups');
  const database = await openDatabase();
  const to = await open(database);
  await create(to, { name: 'Gone' });
  const listed = groups as unknown as readonly Readonly<Record<string, unknown>>[];

  const refused = await to.ask(
    'POST',
    'import-hierarchy',
    listed.filter(({ name }) => name !== 'Parent'),
  );
  const rootless = await to.ask('POST', 'import-hierarchy', []);
  const imported = await to.ask('POST', 'import-hierarchy', [
    { ...listed[0], config_data: {} },
    ...listed.slice(1),
  ]);

  expect([refused.status, rootless.status, imported.status]).toEqual([422, 422, 204]);
  const after = (await (await open(database)).ask('GET', 'groups')).body as unknown as typeof listed;
  const namesAndRules = (all: typeof listed) =>
    all.map(({ name, parent: above, rule }) => ({ name, above, rule }));
  expect(namesAndRules(after)).toEqual(namesAndRules(listed));
});

describe('Nodes', () => {
  test('get what their groups give them, the nearest first', async () => {
    const client = await open();
    const linux = await create(client, {
      name: 'Linux',
      rule: ['=', ['fact', 'kernel'], 'Linux'],
      classes: { ntp: { servers: ['a'], panic: 0 } },
      variables: { owner: 'ops' },
    });
    const webservers = await create(client, {
      name: 'Webservers',
      parent: linux,
      rule: www,
      classes: { ntp: { panic: 9 }, apache: {} },
    });

    const inBoth = await client.ask('POST', 'classified/nodes/www1', { ...web, fact: { kernel: 'Linux' } });
    const inNone = await client.ask('POST', 'classified/nodes/www1', { ...web, fact: { kernel: 'SunOS' } });

    expect(inBoth).toMatchObject({ status: 200 });
    expect(inBoth.body).toEqual({
      name: 'www1',
      groups: [rootId, linux, webservers],
      environment: 'production',
      classes: { ntp: { servers: ['a'], panic: 9 }, apache: {} },
      parameters: { owner: 'ops' },
    });
    expect(inNone.body).toEqual({
      name: 'www1',
      groups: [rootId],
      environment: 'production',
      classes: {},
      parameters: {},
    });
  });

  test('belong to groups below one without a rule', async () => {
    const client = await open();
    const shared = await create(client, { name: 'PE Infrastructure', classes: { pe: { host: 'p' } } });
    const masters = await create(client, { name: 'PE Master', parent: shared });
    await client.ask('POST', `groups/${masters}/pin`, { nodes: ['c1'] });

    const { body } = await client.ask('POST', 'classified/nodes/c1');

    expect(body).toMatchObject({ groups: [rootId, masters], classes: { pe: { host: 'p' } } });
    expect(body).not.toHaveProperty('class_sources');
    const asServer = await client.ask('POST', 'classified/nodes/c1?class_sources=true');
    expect(asServer.body).toMatchObject({ class_sources: { pe: ['PE Infrastructure'] } });
  });

  test('are unpinned from all groups at once', async () => {
    const client = await open();
    const a = await create(client, { name: 'A', rule: ['=', 'name', 'foo'] });
    const b = await create(client, {
      name: 'B',
      environment: 'test',
      rule: ['or', www, ['=', 'name', 'foo']],
    });

    const { body, status } = await client.ask('POST', 'commands/unpin-from-all', { nodes: ['foo', 'bar'] });

    expect(status).toBe(200);
    expect(body).toEqual({
      nodes: [
        {
          name: 'foo',
          groups: [
            { id: a, name: 'A', environment: 'production' },
            { id: b, name: 'B', environment: 'test' },
          ],
        },
      ],
    });
    expect((await client.ask('GET', `groups/${a}`)).body).not.toHaveProperty('rule');
    expect((await client.ask('GET', `groups/${b}`)).body).toHaveProperty('rule', ['or', www]);
  });

  test('take the environment of the group whose environment trumps', async () => {
    const client = await open();
    await create(client, { name: 'Testing', environment: 'testing', environment_trumps: true, rule: www });
    await create(client, {
      name: 'Webservers',
      environment: 'production',
      rule: www,
      classes: { apache: {} },
    });

    const { body } = await client.ask('POST', 'classified/nodes/www1', web);

    expect(body).toMatchObject({ environment: 'testing', classes: { apache: {} } });
  });

  test('of whom unrelated groups say different things are not classified', async () => {
    const client = await open();
    const ancestor = await create(client, {
      name: 'Carl Perkins',
      classes: { songColors: { blue: 'Suede Shoes' } },
    });
    const elvis = await create(client, { name: 'Elvis Presley', parent: ancestor, rule: www });
    const aretha = await create(client, {
      name: 'Aretha Franklin',
      environment: 'testing',
      rule: www,
      classes: { songColors: { blue: 'Since You Have Been Gone' } },
      variables: { era: 60 },
    });

    const { body, status } = await client.ask('POST', 'classified/nodes/www1', web);

    expect(status).toBe(500);
    expect(body).toMatchObject({
      kind: 'classification-conflict',
      msg:
        'The node was classified into groups named "Aretha Franklin" and "Elvis Presley" that defined conflicting ' +
        'values for the environment, class parameters for "songColors" classes. See the `details` key for all conflicts.',
    });
    expect(body['details']).toMatchObject({
      classes: {
        songColors: {
          blue: [
            { value: 'Since You Have Been Gone', from: { id: aretha }, defined_by: { id: aretha } },
            { value: 'Suede Shoes', from: { id: elvis }, defined_by: { id: ancestor } },
          ],
        },
      },
      environment: [{ value: 'testing' }, { value: 'production' }],
    });
    expect(body['details']).not.toHaveProperty('variables');
  });

  test('are explained', async () => {
    const client = await open();
    const id = await create(client, { name: 'Webservers', rule: www, variables: { a: 1 } });

    const { body } = await client.ask('POST', 'classified/nodes/www1/explanation', web);

    expect(body).toMatchObject({
      node_as_received: { name: 'www1', ...web },
      match_explanations: {
        [rootId]: { value: true },
        [id]: {
          value: true,
          form: [
            'and',
            { value: true, form: ['~', { path: ['trusted', 'certname'], value: 'www1.example.com' }, 'www'] },
            { value: true },
          ],
        },
      },
      leaf_groups: { [id]: { name: 'Webservers' } },
      inherited_classifications: { [id]: { environment: 'production', variables: { a: 1 } } },
      final_classification: { environment: 'production', classes: {}, variables: { a: 1 } },
    });
    expect(Object.keys(body['leaf_groups'] ?? {})).toEqual([id]);
  });
});

test('groups show what they inherit when a client asks for that', async () => {
  const client = await open();
  const parent = await create(client, {
    name: 'Parent',
    rule: www,
    classes: { ntp: {} },
    variables: { a: 1 },
  });
  const id = await create(client, { name: 'Child', parent, rule: ['=', 'name', 'x'], variables: { a: 2 } });

  const { body } = await client.ask('GET', `groups/${id}?inherited=true`);

  expect(body).toMatchObject({ classes: { ntp: {} }, variables: { a: 2 } });
  expect(body).toHaveProperty('rule', ['and', ['=', 'name', 'x'], www, ['and', ['~', 'name', '.*']]]);
});
