import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createHttpServer, type IdentityAccess } from '../../platform/http/index.ts';
import { silentLogger } from '../../platform/log/index.ts';
import { changeRoutes } from './change-routes.ts';
import { closeAll, openDatabase } from './classifier.testing.ts';
import { Classifier } from './classifier.ts';
import type { ClassifiedNode } from './condition.ts';
import { rootId } from './group.ts';
import { GroupStore } from './store.ts';

afterAll(closeAll);

const nodes = [
  { name: 'db1.test', fact: { kernel: 'Linux' }, trusted: {} },
  { name: 'web1.test', fact: { kernel: 'Linux' }, trusted: { extensions: { pp_role: 'web' } } },
  { name: 'web2.test', fact: { kernel: 'windows' }, trusted: {} },
];
const anyone: IdentityAccess = { kind: 'anyone' };
const nobody: IdentityAccess = { kind: 'certname', allows: () => false };
const linux = ['=', ['fact', 'kernel'], 'Linux'] as const;
const base = {
  parent: rootId,
  environment: 'production',
  environmentTrumps: false,
  variables: {},
  configData: {},
};
/** Groups that every node is in, with `PE Agent`, which has this class. */
const always = ['Agent-specified environment', 'All Nodes'];
const profile = 'puppet_enterprise::profile::agent';
const newId = '22222222-2222-4222-8222-222222222222';
const wire = { parent: rootId, classes: {} };

async function start(servers = anyone, known: readonly ClassifiedNode[] = nodes) {
  const ids = { next: 0 };
  const classifier = await Classifier.open({
    store: new GroupStore(await openDatabase()),
    log: silentLogger,
    primary: 'primary.test',
    now: () => new Date(0),
    newId: () => `11111111-1111-4111-8111-${String((ids.next += 1)).padStart(12, '0')}`,
  });
  const http = createHttpServer({
    routes: changeRoutes(
      classifier,
      { view: anyone, viewSome: anyone, modify: anyone, servers },
      {
        names: async () => known.map(({ name }) => name),
        read: async (names) => known.filter(({ name }) => names.includes(name)),
        readFacts: async (names, facts) =>
          known
            .filter(({ name }) => names.includes(name))
            .map((node) => ({
              ...node,
              fact: Object.fromEntries(Object.entries(node.fact).filter(([fact]) => facts.includes(fact))),
            })),
      },
    ),
    authorization: { rules: [], allowHeaderCertInfo: false },
    log: silentLogger,
  });
  const port = await http.listen(0, '127.0.0.1');
  onTestFinished(() => http.drain(0));
  const send = async (command: string, groups: readonly unknown[], deleted?: readonly unknown[]) => {
    const url = `http://127.0.0.1:${port}/classifier-api/v1/commands/${command}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ groups, deleted }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { classifier, send };
}

test('a preview names the nodes that change, and what differs; it changes nothing', async () => {
  const { classifier, send } = await start();
  const { id } = await classifier.create({
    ...base,
    name: 'Linux',
    rule: linux,
    classes: { ntp: { panic: 1 } },
  });
  const before = classifier.hierarchy;

  const { body, status } = await send('preview-groups', [
    {
      ...wire,
      id,
      name: 'Linux',
      rule: ['=', ['trusted', 'extensions', 'pp_role'], 'web'],
      classes: { ntp: {} },
    },
    {
      ...wire,
      id: newId,
      name: 'New',
      rule: ['or', ['=', 'name', 'later.test']],
      variables: { owner: 'ops' },
    },
  ]);

  expect(status, JSON.stringify(body)).toBe(200);
  // The primary is pinned to groups of the installation, and later.test to the new one; PuppetDB has no facts of them.
  expect(body['total']).toBe(5);
  expect(body['nodes']).toEqual([
    {
      name: 'db1.test',
      before: {
        groups: [...always, 'Linux', 'PE Agent'],
        classes: { ntp: { panic: 1 }, puppet_enterprise: {}, [profile]: {} },
      },
      after: { groups: [...always, 'PE Agent'], classes: { puppet_enterprise: {}, [profile]: {} } },
    },
    {
      name: 'later.test',
      before: { groups: [...always, 'PE Agent'], variables: {} },
      after: { groups: [...always, 'New', 'PE Agent'], variables: { owner: 'ops' } },
    },
    {
      name: 'web1.test',
      before: { classes: { ntp: { panic: 1 }, puppet_enterprise: {}, [profile]: {} } },
      after: { classes: { ntp: {}, puppet_enterprise: {}, [profile]: {} } },
    },
  ]);
  expect(classifier.hierarchy).toBe(before);
});

test('a preview shows groups that would contradict each other', async () => {
  const { classifier, send } = await start();
  await classifier.create({ ...base, name: 'A', rule: linux, classes: {}, variables: { owner: 'a' } });

  const { body } = await send('preview-groups', [
    { ...wire, id: newId, name: 'B', rule: ['=', 'name', 'db1.test'], variables: { owner: 'b' } },
  ]);

  expect(body['nodes']).toMatchObject([
    {
      name: 'db1.test',
      before: { variables: { owner: 'a' } },
      after: { error: expect.stringContaining('"owner"') },
    },
  ]);
});

test('groups change together or not at all, and only those that differ get a new serial number', async () => {
  const { classifier, send } = await start();
  const a = await classifier.create({ ...base, name: 'A', classes: {} });
  const b = await classifier.create({ ...base, name: 'B', classes: {} });
  const before = classifier.hierarchy;

  const refused = await send('change-groups', [
    { ...wire, id: a.id, name: 'A', classes: { ntp: {} } },
    { ...wire, id: newId, name: 'C', parent: '33333333-3333-4333-8333-333333333333' },
  ]);
  const untouched = classifier.hierarchy;
  const twice = await send('change-groups', [
    { ...wire, id: a.id, name: 'A', classes: { ntp: {} } },
    { ...wire, id: a.id, name: 'D' },
  ]);
  const changed = await send('change-groups', [
    { ...wire, id: a.id, name: 'B', serial_number: 1 },
    { ...wire, id: b.id, name: 'A', serial_number: 1, parent: newId },
    { ...wire, id: newId, name: 'C' },
    { ...wire, id: rootId, name: 'All Nodes', rule: ['and', ['~', 'name', '.*']] },
  ]);

  expect([refused.status, twice.status, changed.status]).toEqual([422, 422, 200]);
  expect(untouched).toBe(before);
  expect(changed.body['groups']).toMatchObject([
    { id: a.id, name: 'B', serial_number: 2 },
    { id: b.id, name: 'A', parent: newId, serial_number: 2 },
    { id: newId, name: 'C', serial_number: 1 },
  ]);
  expect(classifier.get(rootId).serialNumber).toBe(1);
});

test("someone else's change is not overwritten", async () => {
  const { classifier, send } = await start();
  const { id } = await classifier.create({ ...base, name: 'A', classes: {} });
  await classifier.pin(id, ['db1.test']);

  const late = await send('change-groups', [
    { ...wire, id, name: 'A', classes: { ntp: {} }, serial_number: 1 },
  ]);
  await classifier.remove(id);
  const gone = await send('change-groups', [
    { ...wire, id, name: 'A', classes: { ntp: {} }, serial_number: 2 },
  ]);

  expect([late.status, late.body['msg']]).toEqual([
    409,
    'Group "A" has changed: its serial number is 2, not 1.',
  ]);
  expect([gone.status, gone.body['msg']]).toEqual([409, 'Group "A" has been deleted.']);
});

test('groups of the installation need a permission of their own, which a preview says, too', async () => {
  const { classifier, send } = await start(nobody);
  const [master] = classifier.hierarchy.all().filter(({ name }) => name === 'PE Master');
  const change = [{ ...wire, id: newId, name: 'Below', parent: master?.id }];

  const preview = await send('preview-groups', change);
  const refused = await send('change-groups', change);

  expect(preview.body['refused']).toContain('needs the permission infrastructure:edit');
  expect([refused.status, refused.body['msg']]).toEqual([403, preview.body['refused']]);
});

test('a preview finds every node that changes, wherever groups are moved, given or denied a rule', async () => {
  const { classifier, send } = await start();
  const idsOf = new Map<string, string>();
  const add = async (name: string, over: object) => {
    const group = await classifier.create({ ...base, name, classes: { [name.toLowerCase()]: {} }, ...over });
    idsOf.set(name, group.id);
    return group.id;
  };
  const web = ['=', ['trusted', 'extensions', 'pp_role'], 'web'] as const;
  const top = await add('Top', { rule: linux });
  const bare = await add('Bare', { parent: top });
  await add('Leaf', { parent: bare, rule: web });
  await add('Other', { rule: ['not', linux] });
  const wireOf = (name: string, over: object) => ({
    ...wire,
    id: idsOf.get(name),
    name,
    classes: { [name.toLowerCase()]: {} },
    ...over,
  });
  const changedBy = async (...groups: readonly object[]) => {
    const { body } = await send('preview-groups', groups);
    return (body['nodes'] as readonly { readonly name: string }[]).map(({ name }) => name);
  };

  expect(await changedBy(wireOf('Bare', { parent: top, classes: {} }))).toEqual(['web1.test']);
  expect(await changedBy(wireOf('Bare', { parent: top, rule: linux }))).toEqual(['db1.test', 'web1.test']);
  expect(await changedBy(wireOf('Bare', { parent: idsOf.get('Other') }))).toEqual(['web1.test']);
  // Without a rule, Top has no members; web1.test stays in the group below.
  expect(await changedBy(wireOf('Top', {}))).toEqual(['db1.test', 'web1.test']);
  expect(await changedBy(wireOf('Top', { rule: ['not', linux] }))).toEqual([
    'db1.test',
    'primary.test',
    'web1.test',
    'web2.test',
  ]);
  expect(await changedBy(wireOf('Other', { rule: ['not', linux] }))).toEqual([]);
});

test('a preview of many nodes has each of them with its own change', async () => {
  const many = Array.from({ length: 1234 }, (_, index) => ({
    name: `n${String(index).padStart(4, '0')}.test`,
    fact: { kernel: index % 3 === 0 ? 'Linux' : 'other', rack: String(index % 2) },
    trusted: {},
  }));
  const { classifier, send } = await start(anyone, many);
  const rule = ['=', ['fact', 'rack'], '1'] as const;
  await classifier.create({ ...base, name: 'Rack', rule, classes: { rack: {} } });

  const { body } = await send('preview-groups', [
    { ...wire, id: newId, name: 'Linux', rule: linux, classes: { ntp: {} } },
  ]);

  // The primary, which is pinned, is one more.
  expect(body['total']).toBe(1235);
  expect(body['nodes']).toEqual(
    many.flatMap(({ fact, name }) => {
      if (fact.kernel !== 'Linux') return [];
      const rack = fact.rack === '1';
      const before = { groups: [...always, 'PE Agent', ...(rack ? ['Rack'] : [])].sort() };
      const classes = { puppet_enterprise: {}, [profile]: {}, ...(rack ? { rack: {} } : {}) };
      return [
        {
          name,
          before: { ...before, classes },
          after: { groups: [...before.groups, 'Linux'].sort(), classes: { ...classes, ntp: {} } },
        },
      ];
    }),
  );
});

test('groups are deleted together with other changes, or not at all', async () => {
  const { classifier, send } = await start();
  const upper = await classifier.create({ ...base, name: 'Upper', rule: linux, classes: { ntp: {} } });
  const lower = await classifier.create({
    ...base,
    name: 'Lower',
    parent: upper.id,
    rule: linux,
    classes: {},
  });
  const deleted = [{ id: upper.id, serial_number: upper.serialNumber }];

  const orphaned = await send('change-groups', [], deleted);
  const preview = await send('preview-groups', [], [...deleted, { id: lower.id }]);
  const stale = await send('change-groups', [], [{ id: lower.id, serial_number: 99 }]);

  expect(orphaned).toMatchObject({ status: 422, body: { kind: 'children-present' } });
  expect(stale).toMatchObject({ status: 409, body: { kind: 'serial-number-conflict' } });
  expect(preview.body['nodes']).toMatchObject([{ name: 'db1.test' }, { name: 'web1.test' }]);
  expect(classifier.hierarchy.find(upper.id)).toBeDefined();

  const moved = { ...wire, id: lower.id, name: 'Lower', rule: linux, serial_number: lower.serialNumber };
  const done = await send('change-groups', [moved], deleted);

  expect(done).toMatchObject({ status: 200, body: { groups: [{ name: 'Lower', parent: rootId }] } });
  expect(classifier.hierarchy.find(upper.id)).toBeUndefined();
  expect(await send('change-groups', [], [{ id: rootId }])).toMatchObject({ status: 422 });
});
