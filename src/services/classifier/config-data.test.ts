import { afterEach, describe, expect, test } from 'vitest';
import { fixedSql } from '../../platform/storage/index.ts';
import { closeAll, create, open, openDatabase } from './classifier.testing.ts';
import { rootId } from './group.ts';
import { GroupStore } from './index.ts';

afterEach(closeAll);

const www = ['~', 'name', '^www'];

describe('Configuration data of groups', () => {
  test('is inherited by class and parameter, and shown with the group', async () => {
    const client = await open();
    const parent = await create(client, {
      name: 'Parent',
      config_data: { ntp: { servers: ['a'], panic: 0 } },
    });
    const child = await create(client, {
      name: 'Child',
      parent,
      rule: www,
      config_data: { ntp: { panic: 9 }, ssh: {} },
    });

    const own = await client.ask('GET', `groups/${child}`);
    const inherited = await client.ask('GET', `groups/${child}?inherited=true`);
    const { body } = await client.ask('POST', 'v2/classified/nodes/www1');

    expect(own.body).toHaveProperty('config_data', { ntp: { panic: 9 }, ssh: {} });
    expect(inherited.body).toHaveProperty('config_data', { ntp: { servers: ['a'], panic: 9 }, ssh: {} });
    expect(body).toMatchObject({ classes: {}, config_data: { ntp: { servers: ['a'], panic: 9 } } });
  });

  test('changes by deltas as classes do', async () => {
    const client = await open();
    const id = await create(client, { name: 'A', config_data: { ntp: { panic: 0 }, ssh: { port: 22 } } });

    const { body } = await client.ask('POST', `groups/${id}`, {
      config_data: { ntp: { servers: ['b'] }, ssh: null },
    });

    expect(body).toHaveProperty('config_data', { ntp: { panic: 0, servers: ['b'] } });
  });

  test('of unrelated groups must not contradict', async () => {
    const client = await open();
    const a = await create(client, { name: 'A', rule: www, config_data: { ntp: { panic: 0 } } });
    const b = await create(client, { name: 'B', rule: www, config_data: { ntp: { panic: 1 } } });

    const { body, status } = await client.ask('POST', 'classified/nodes/www1');

    expect(status).toBe(500);
    expect(body['msg']).toContain('configuration data for "ntp" classes');
    expect(body['details']).toMatchObject({
      config_data: {
        ntp: {
          panic: [
            { value: 0, from: { id: a } },
            { value: 1, from: { id: b } },
          ],
        },
      },
    });
  });

  test('moves with a hierarchy', async () => {
    const from = await open();
    await create(from, { name: 'A', config_data: { ntp: { panic: 0 } } });
    const groups = (await from.ask('GET', 'groups')).body;

    const to = await open();
    const { status } = await to.ask('POST', 'import-hierarchy', groups);

    expect(status).toBe(204);
    const [found] = (await to.ask('GET', 'groups')).body as unknown as Record<string, unknown>[];
    expect(found).toMatchObject({ name: 'A', config_data: { ntp: { panic: 0 } } });
  });

  test('of no group that was stored before there was any is missing', async () => {
    const database = await openDatabase();
    const before = await open(database);
    const id = await create(before, { name: 'A' });
    await database.write([
      fixedSql("update classifier_groups set definition = json_remove(definition, '$.configData')"),
    ]);

    const after = await open(database);

    expect((await after.ask('GET', `groups/${id}`)).body).toHaveProperty('config_data', {});
  });
});

describe('The root group', () => {
  test('cannot be put below one of its descendants', async () => {
    const client = await open();
    const child = await create(client, { name: 'Child' });

    const { body, status } = await client.ask('POST', `groups/${rootId}`, { parent: child });

    expect(status).toBe(422);
    expect(body).toMatchObject({ kind: 'inheritance-cycle' });
    expect(body['msg']).toContain('All Nodes -> Child -> All Nodes');
  });

  test('cannot be imported below another group, present or not', async () => {
    const client = await open();
    const child = await create(client, { name: 'Child' });
    const groups = (await client.ask('GET', 'groups')).body as unknown as Record<string, unknown>[];
    const below = (parent: string) =>
      groups.map((group) => (group['id'] === rootId ? { ...group, parent } : group));

    const cyclic = await client.ask('POST', 'import-hierarchy', below(child));
    const dangling = await client.ask(
      'POST',
      'import-hierarchy',
      below('22222222-2222-4222-8222-222222222222'),
    );

    expect([cyclic.status, cyclic.body['kind']]).toEqual([422, 'inheritance-cycle']);
    expect([dangling.status, dangling.body['kind']]).toEqual([422, 'missing-parent']);
    expect((await client.ask('GET', 'groups')).body).toEqual(groups);
  });

  test('is its own parent again where an earlier version stored another', async () => {
    const database = await openDatabase();
    await open(database);
    const store = new GroupStore(database);
    const [root] = await store.all();
    if (root === undefined) throw new Error('there is no root');
    await store.save([{ ...root, parent: '22222222-2222-4222-8222-222222222222' }], []);

    const client = await open(database);

    expect((await client.ask('GET', `groups/${rootId}`)).body).toHaveProperty('parent', rootId);
  });
});
