import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, create, open, openDatabase } from './classifier.testing.ts';
import { rootId } from './group.ts';
import type { KnownClasses } from './referents.ts';

afterEach(closeAll);

/** What is served: `broken` has manifests that could not be read. */
const served: KnownClasses = {
  environments: async () => [
    { name: 'production', isWhole: true },
    { name: 'broken', isWhole: false },
  ],
  classes: async () => [
    { environment: 'production', name: 'apache', parameters: { port: 80, admin: null } },
    { environment: 'production', name: 'ssl', parameters: {} },
  ],
};
const own = 'puppetlabs.classifier/deleted';

describe('Classes that the code does not have', () => {
  test('are shown with the group that names them, as are parameters', async () => {
    const client = await open(undefined, served);
    const whole = await create(client, { name: 'Whole', classes: { apache: { port: 81 }, ssl: {} } });
    const id = await create(client, {
      name: 'Old',
      classes: { apache: { port: 81, gone: [1] }, payload: { type: 'cubesat' } },
    });

    const { body } = await client.ask('GET', `groups/${id}`);
    const all = (await client.ask('GET', 'groups')).body as unknown as readonly Record<string, unknown>[];

    const deleted = {
      apache: { [own]: false, gone: { [own]: true, value: [1] } },
      payload: { [own]: true },
    };
    expect(body['deleted']).toEqual(deleted);
    expect(all.find((group) => group['id'] === id)?.['deleted']).toEqual(deleted);
    expect(all.find((group) => group['id'] === whole)).not.toHaveProperty('deleted');
    // What was read may be sent back.
    expect((await client.ask('PUT', `groups/${id}`, body)).status).toBe(200);
  });

  test('are not looked for where not all is known, or agents choose', async () => {
    const client = await open(undefined, served);

    for (const environment of ['broken', 'unknown', 'agent-specified']) {
      const id = await create(client, { name: environment, environment, classes: { payload: {} } });

      expect((await client.ask('GET', `groups/${id}`)).body).not.toHaveProperty('deleted');
    }
  });
});

describe('A group that is only tried out', () => {
  const group = { name: 'New', parent: rootId, classes: { apache: { port: 81 } } };

  test('is told as it would be, and not kept', async () => {
    const client = await open(undefined, served);

    const { body, status } = await client.ask('POST', 'validate/group', group);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...group,
      environment: 'production',
      environment_trumps: false,
      variables: {},
      config_data: {},
    });
    expect((await client.ask('GET', 'groups')).body).toHaveLength(1);
  });

  test('is refused with what it, or its parent, names and the code does not have', async () => {
    const client = await open(undefined, served);
    const parent = await create(client, { name: 'Parent', classes: { payload: {} } });
    const submitted = { ...group, parent, classes: { apache: { gone: 1 } } };

    const { body, status } = await client.ask('POST', 'validate/group', submitted);

    expect(status).toBe(422);
    expect(body['kind']).toBe('missing-referents');
    const inNew = { group: 'New', environment: 'production' };
    expect(body['details']).toEqual([
      { kind: 'missing-class', missing: 'payload', ...inNew, defined_by: 'Parent' },
      { kind: 'missing-parameter', missing: ['apache', 'gone'], ...inNew, defined_by: 'New' },
    ]);
  });

  test('is looked at with the groups below the one that it would replace', async () => {
    const client = await open(undefined, served);
    const id = await create(client, { name: 'Parent' });
    await create(client, { name: 'Child', parent: id, environment: 'production', classes: { payload: {} } });

    const { body } = await client.ask('POST', 'validate/group', { ...group, id, name: 'Parent' });

    expect(body).toMatchObject({
      kind: 'missing-referents',
      details: [{ kind: 'missing-class', missing: 'payload', group: 'Child', defined_by: 'Child' }],
    });
  });

  test('is refused as when it were made: names, parents, cycles, the rule of the root', async () => {
    const client = await open(undefined, served);
    const id = await create(client, { name: 'Parent' });
    const child = await create(client, { name: 'Child', parent: id });
    const kindOf = async (submitted: object) =>
      (await client.ask('POST', 'validate/group', submitted)).body['kind'];

    expect(await kindOf({ ...group, name: 'Parent' })).toBe('uniqueness-violation');
    expect(await kindOf({ ...group, parent: '22222222-2222-4222-8222-222222222222' })).toBe('missing-parent');
    expect(await kindOf({ ...group, id, name: 'Parent', parent: child })).toBe('inheritance-cycle');
    expect(await kindOf({ ...group, id: rootId, name: 'All Nodes', rule: ['=', 'name', 'a'] })).toBe(
      'root-rule-edit',
    );
    expect(await kindOf({ name: 'New' })).toBe('schema-violation');
  });
});

test('Environments that somebody told of are there after a restart', async () => {
  const database = await openDatabase();
  const before = await open(database);
  await before.classifier.declareEnvironment('planned');
  await before.classifier.declareEnvironment('planned');

  const after = await open(database);

  expect(await after.classifier.environments()).toEqual(['planned']);
});
