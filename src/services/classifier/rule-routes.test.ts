import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, create, open } from './classifier.testing.ts';
import { rootId } from './group.ts';
import { noKnownNodes } from './known-nodes.ts';

afterEach(closeAll);

describe('Rules as queries of PuppetDB', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['the name is the certname', ['~', 'name', '^web'], ['~', 'certname', '^web'], ['~', 'certname', '^web']],
    [
      'text may be that of a number',
      ['=', ['fact', 'processorcount'], '4'],
      ['or', ['=', ['fact', 'processorcount'], '4'], ['=', ['fact', 'processorcount'], 4]],
      ['or', ['=', 'facts.processorcount', '4'], ['=', 'facts.processorcount', 4]],
    ],
    [
      'but not where a number would be written otherwise',
      ['=', ['fact', 'release'], '04'],
      ['=', ['fact', 'release'], '04'],
      ['=', 'facts.release', '04'],
    ],
    [
      'order is that of numbers',
      ['>=', ['fact', 'docking_pylons'], '3'],
      ['>=', ['fact', 'docking_pylons'], 3],
      ['>=', 'facts.docking_pylons', 3],
    ],
    [
      'order of no number holds of nobody',
      ['<', ['fact', 'load'], 'little'],
      ['not', ['~', 'certname', '.*']],
      ['not', ['~', 'certname', '.*']],
    ],
    [
      'what holds of all is left out of conditions, and is a query by itself',
      ['and', ['and', ['~', 'name', '.*']], ['not', ['=', ['fact', 'kernel'], 'Linux']]],
      ['not', ['=', ['fact', 'kernel'], 'Linux']],
      ['not', ['=', 'facts.kernel', 'Linux']],
    ],
    [
      'or makes all of it hold of all',
      ['or', ['~', 'name', '.*'], ['=', 'name', 'a']],
      ['~', 'certname', '.*'],
      ['~', 'certname', '.*'],
    ],
  ])('%s', async (_title, rule, nodes, inventory) => {
    const { ask } = await open();

    expect(await ask('POST', 'rules/translate', rule)).toMatchObject({ status: 200, body: { query: nodes } });
    expect((await ask('POST', 'rules/translate?format=nodes', rule)).body).toEqual({ query: nodes });
    expect((await ask('POST', 'rules/translate?format=inventory', rule)).body).toEqual({ query: inventory });
  });

  test.each([
    [['=', ['fact', 'ifaces', 'eth0', 'ip'], '10.9.8.7'], 'structured', 'facts.ifaces.eth0.ip'],
    [['=', ['fact', 'disks', 0, 'size of'], 'big'], 'structured', 'facts.disks[0]."size of"'],
    [['=', ['trusted', 'certname'], 'trent.example.com'], 'trusted', 'trusted.certname'],
  ])('%j can be asked of the inventory alone', async (comparison, kind, field) => {
    const { ask } = await open();
    const rule = ['not', comparison];

    const { body, status } = await ask('POST', 'rules/translate', rule);
    const inventory = await ask('POST', 'rules/translate?format=inventory', rule);

    expect(status).toBe(422);
    expect(body).toEqual({
      kind: 'untranslatable-rule',
      msg: `The rule cannot be translated because PuppetDB does not support ${kind} facts.`,
      details: rule,
    });
    expect(inventory.body).toEqual({ query: ['not', ['=', field, comparison[2]]] });
  });

  test('are refused where they are none', async () => {
    const { ask } = await open();

    const answers = [
      await ask('POST', 'rules/translate', '["and"'),
      await ask('POST', 'rules/translate', ['xor', ['=', 'name', 'a']]),
      await ask('POST', 'rules/translate?format=pql', ['=', 'name', 'a']),
      await ask('POST', 'rules/translate', ['=', 'nodename', 'a']),
    ];

    expect(answers.map(({ body, status }) => [status, body['kind']])).toEqual([
      [400, 'malformed-request'],
      [400, 'schema-violation'],
      [400, 'unknown-format'],
      [422, 'untranslatable-rule'],
    ]);
  });

  test('of a group come with those of its ancestors, as the documentation shows it', async () => {
    const client = await open();
    const rule = ['=', ['fact', 'is_spaceship'], 'true'];
    const id = await create(client, { name: 'Spaceships', rule });
    const structured = await create(client, {
      name: 'Debian',
      rule: ['=', ['fact', 'os', 'name'], 'Debian'],
    });
    const none = await create(client, { name: 'Nobody' });

    expect((await client.ask('GET', `groups/${id}/rules`)).body).toEqual({
      rule,
      rule_with_inherited: ['and', rule, ['and', ['~', 'name', '.*']]],
      translated: {
        nodes_query_format: [
          'or',
          ['=', ['fact', 'is_spaceship'], 'true'],
          ['=', ['fact', 'is_spaceship'], true],
        ],
        inventory_query_format: [
          'or',
          ['=', 'facts.is_spaceship', 'true'],
          ['=', 'facts.is_spaceship', true],
        ],
      },
    });
    expect((await client.ask('GET', `groups/${structured}/rules`)).body['translated']).toEqual({
      nodes_query_format: null,
      inventory_query_format: ['=', 'facts.os.name', 'Debian'],
    });
    expect((await client.ask('GET', `groups/${none}/rules`)).body).toEqual({
      rule: null,
      rule_with_inherited: null,
      translated: { nodes_query_format: null, inventory_query_format: null },
    });
    expect((await client.ask('GET', 'groups/unknown/rules')).status).toBe(400);
  });
});

test('groups are shown with those below them, as deep as is asked', async () => {
  const client = await open();
  const child = await create(client, { name: 'Child' });
  const grandchild = await create(client, { name: 'Grandchild', parent: child });

  const [whole, shallow] = [
    await client.ask('GET', `group-children/${rootId}`),
    await client.ask('GET', `group-children/${rootId}?depth=1`),
  ];

  expect(whole.body).toMatchObject([
    {
      id: rootId,
      immediate_child_count: 1,
      children: [{ id: child, immediate_child_count: 1, children: [{ id: grandchild, children: [] }] }],
    },
  ]);
  expect(shallow.body).toMatchObject([{ children: [{ id: child, immediate_child_count: 1, children: [] }] }]);
  expect((await client.ask('GET', `group-children/${rootId}?depth=-1`)).body['kind']).toBe('illegal-count');
});

test('the second version of a classification names the groups and has data for lookups', async () => {
  const client = await open();
  const b = await create(client, { name: 'b group', rule: ['=', 'name', 'foo'], classes: { plain: {} } });
  const a = await create(client, {
    name: 'a group',
    rule: ['~', 'name', 'o'],
    classes: { apache: { port: 80 } },
    config_data: { apache: { docroot: '/srv/www' } },
  });

  const { body } = await client.ask('POST', 'v2/classified/nodes/foo', {});

  expect(body).toEqual({
    name: 'foo',
    groups: [
      { id: rootId, name: 'All Nodes' },
      { id: a, name: 'a group' },
      { id: b, name: 'b group' },
    ],
    environment: 'production',
    classes: { apache: { port: 80 }, plain: {} },
    parameters: {},
    config_data: { apache: { docroot: '/srv/www' } },
  });
});

test('the nodes of a group are those that PuppetDB finds by its rule and the rules above', async () => {
  const asked: unknown[] = [];
  const client = await open(undefined, undefined, undefined, {
    ...noKnownNodes,
    names: async (_signal, query) => {
      asked.push(query);
      return ['b.test', 'a.test'];
    },
  });
  const parent = await create(client, { name: 'Parent', rule: ['=', ['fact', 'kernel'], 'Linux'] });
  const child = await create(client, {
    name: 'Child',
    parent,
    rule: ['=', ['trusted', 'certname'], 'a.test'],
  });
  const empty = await create(client, { name: 'Empty' });

  const found = await client.ask('GET', `groups/${child}/nodes`);
  const none = await client.ask('GET', `groups/${empty}/nodes`);

  expect(found).toMatchObject({ status: 200, body: [{ certname: 'a.test' }, { certname: 'b.test' }] });
  expect(asked).toEqual([['and', ['=', 'trusted.certname', 'a.test'], ['=', 'facts.kernel', 'Linux']]]);
  expect(none).toMatchObject({ status: 200, body: [] });
  expect(await client.ask('GET', `groups/${rootId.replace('4000', '4001')}/nodes`)).toMatchObject({
    status: 404,
  });
});
