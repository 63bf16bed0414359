import { expect, test } from 'vitest';
import { create, open, openDatabase } from './classifier.testing.ts';
import { rootId } from './group.ts';

const noOne = { kind: 'any-of', of: [] } as const;

/** A classifier with groups, behind an API whose callers may change groups, but not who is a server. */
async function withGroups() {
  const database = await openDatabase();
  const operator = await open(database);
  const above = await create(operator, { name: 'PE Infrastructure', rule: ['~', 'name', 'c'] });
  const masters = await create(operator, { name: 'PE Master', parent: above, rule: ['=', 'name', 'c1'] });
  const web = await create(operator, { name: 'Web', rule: ['=', 'name', 'w1'] });
  return { above, masters, web, editor: await open(database, undefined, noOne) };
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

test('who may only edit groups changes all that makes no server', async () => {
  const { editor, masters, web } = await withGroups();

  const pinned = await editor.ask('POST', `groups/${web}/pin`, { nodes: ['w2'] });
  const parameters = await editor.ask('POST', `groups/${masters}`, { classes: { ntp: {} } });
  const unpinned = await editor.ask('POST', 'commands/unpin-from-all', { nodes: ['w1'] });

  expect([pinned.status, parameters.status, unpinned.status]).toEqual([204, 200, 200]);
});
