import { expect, test } from 'vitest';
import { create, open, openDatabase } from './classifier.testing.ts';
import { rootId } from './group.ts';

const unused = '22222222-2222-4222-8222-222222222222';

const noOne = { kind: 'any-of', of: [] } as const;

/** A classifier with groups, behind an API whose callers may change groups, but not who is a server. */
async function withGroups() {
  const database = await openDatabase();
  const operator = await open(database);
  const above = await create(operator, { name: 'PE Infrastructure', rule: ['~', 'name', 'c'] });
  const masters = await create(operator, { name: 'PE Master', parent: above, rule: ['=', 'name', 'c1'] });
  const web = await create(operator, { name: 'Web', rule: ['=', 'name', 'w1'] });
  return { above, masters, operator, web, editor: await open(database, undefined, noOne) };
}

test('who may only edit groups does not make servers, in whatever way', async () => {
  const { above, editor, masters, web } = await withGroups();
  const changes: readonly (readonly [string, string, unknown])[] = [
    ['POST', `groups/${masters}/pin`, { nodes: ['evil'] }],
    ['POST', `groups/${masters}/unpin`, { nodes: ['c1'] }],
    ['POST', 'commands/unpin-from-all', { nodes: ['c1'] }],
    ['POST', `groups/${masters}`, { rule: ['~', 'name', '.*'] }],
    ['POST', `groups/${above}`, { rule: ['~', 'name', '.*'] }],
    ['POST', `groups/${masters}`, { parent: rootId }],
    ['POST', `groups/${web}`, { name: 'PE Master', environment: 'other' }],
    [
      'POST',
      'groups',
      { name: 'PE Master', environment: 'x', parent: rootId, classes: {}, rule: ['~', 'name', '.'] },
    ],
    ['DELETE', `groups/${masters}`, undefined],
  ];

  for (const [method, path, body] of changes) {
    const answer = await editor.ask(method, path, body);

    expect(answer.status, `${method} ${path}`).toBe(403);
    expect(answer.body['msg']).toContain('infrastructure:edit');
  }
});

test('who may only edit groups changes nothing of PE Infrastructure and the groups below it', async () => {
  const { above, editor, masters, web } = await withGroups();
  const before = (await editor.ask('GET', 'groups')).body as unknown as readonly { id: string }[];
  const emptied = before.map((group) => (group.id === masters ? { ...group, classes: { ntp: {} } } : group));
  const changes: readonly (readonly [string, string, unknown])[] = [
    ['POST', `groups/${masters}`, { classes: { ntp: {} } }],
    ['POST', `groups/${masters}`, { variables: { a: 1 } }],
    ['POST', `groups/${masters}`, { config_data: { ntp: { servers: ['evil'] } } }],
    ['POST', `groups/${above}`, { environment: 'other' }],
    ['POST', `groups/${above}`, { name: 'Renamed' }],
    ['POST', `groups/${web}`, { parent: above }],
    ['PUT', `groups/${unused}`, { name: 'PE Agent', parent: above, classes: {} }],
    ['PUT', `groups/${unused}`, { name: 'PE Infrastructure', environment: 'x', parent: rootId, classes: {} }],
    [
      'PUT',
      `groups/${masters}`,
      { name: 'PE Master', parent: above, classes: {}, rule: ['=', 'name', 'c1'], description: 'x' },
    ],
    ['POST', 'import-hierarchy', emptied],
  ];

  for (const [method, path, body] of changes) {
    const answer = await editor.ask(method, path, body);

    expect(answer.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(403);
    expect(answer.body['msg']).toContain('infrastructure:edit');
  }
  expect((await editor.ask('GET', 'groups')).body).toEqual(before);
});

test('who may only edit groups changes all others', async () => {
  const { editor, web } = await withGroups();
  const groups = (await editor.ask('GET', 'groups')).body;

  const pinned = await editor.ask('POST', `groups/${web}/pin`, { nodes: ['w2'] });
  const parameters = await editor.ask('POST', `groups/${web}`, { classes: { ntp: {} } });
  const unpinned = await editor.ask('POST', 'commands/unpin-from-all', { nodes: ['w1'] });
  const imported = await editor.ask('POST', 'import-hierarchy', groups);

  expect([pinned, parameters, unpinned, imported].map(({ status }) => status)).toEqual([204, 200, 200, 204]);
});

test('who may edit the infrastructure changes its groups', async () => {
  const { masters, operator } = await withGroups();

  const answer = await operator.ask('POST', `groups/${masters}`, { classes: { ntp: {} } });

  expect(answer.status).toBe(200);
});
