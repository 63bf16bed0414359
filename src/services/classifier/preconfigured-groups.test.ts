import { afterAll, expect, test } from 'vitest';
import { silentLogger } from '../../platform/log/index.ts';
import type { Database } from '../../platform/storage/index.ts';
import { LocalClassifiedNodes } from './classified-nodes.ts';
import { closeAll, openDatabase } from './classifier.testing.ts';
import { Classifier } from './classifier.ts';
import { isEntitled } from './entitlement.ts';
import { type GroupDefinition, rootGroup, rootId } from './group.ts';
import { GroupStore } from './store.ts';

afterAll(closeAll);

const now = () => new Date('2026-01-02T03:04:05.678Z');
const primary = 'primary.test';
const isCompiler = ['=', ['trusted', 'extensions', 'pp_auth_role'], 'pe_compiler'] as const;

test('a fresh classifier has the groups of the installation', async () => {
  const classifier = await opened(await openDatabase());

  expect(treeOf(classifier)).toEqual({
    'All Nodes': undefined,
    'Agent-specified environment': 'All Nodes',
    'Production environment': 'Agent-specified environment',
    'PE Infrastructure': 'All Nodes',
    'PE Agent': 'PE Infrastructure',
    'PE Certificate Authority': 'PE Infrastructure',
    'PE Compiler': 'PE Master',
    'PE Console': 'PE Infrastructure',
    'PE Infrastructure Agent': 'PE Agent',
    'PE Master': 'PE Infrastructure',
    'PE Orchestrator': 'PE Infrastructure',
    'PE PuppetDB': 'PE Infrastructure',
  });
});

test('they have their members from the start', async () => {
  const classifier = await opened(await openDatabase());

  expect(groupsOf(classifier, 'web.test')).toEqual(['Agent-specified environment', 'All Nodes', 'PE Agent']);
  expect(groupsOf(classifier, 'compile1.test', { pp_auth_role: 'pe_compiler' })).toEqual([
    'Agent-specified environment',
    'All Nodes',
    'PE Agent',
    'PE Compiler',
    'PE Infrastructure Agent',
    'PE Master',
  ]);
  expect(groupsOf(classifier, primary)).toEqual([
    'Agent-specified environment',
    'All Nodes',
    'PE Agent',
    'PE Certificate Authority',
    'PE Console',
    'PE Infrastructure Agent',
    'PE Master',
    'PE Orchestrator',
    'PE PuppetDB',
  ]);
});

test('agents choose their environment until a group decides', async () => {
  const classifier = await opened(await openDatabase());
  const production = named(classifier, 'Production environment');
  const inTurn = [await environmentOf(classifier, 'web.test')];

  const rule = ['=', 'name', 'web.test'] as const;
  const own = {
    ...definition('Testing', production.id),
    environment: 'testing',
    environmentTrumps: true,
    rule,
  };
  const { id } = await classifier.create(own);
  inTurn.push(await environmentOf(classifier, 'web.test'));
  await classifier.remove(id);
  await classifier.pin(production.id, ['web.test']);
  inTurn.push(await environmentOf(classifier, 'web.test'), await environmentOf(classifier, 'other.test'));

  expect(inTurn).toEqual([undefined, 'testing', 'production', undefined]);
});

test('a group for classes alone leaves the choice of the environment to agents', async () => {
  const classifier = await opened(await openDatabase());

  await classifier.create({ ...definition('Web', rootId), rule: ['~', 'name', 'web'] });

  expect(await environmentOf(classifier, 'web.test')).toBeUndefined();
});

test('the group Compile servers of earlier versions becomes PE Compiler', async () => {
  const database = await earlier([
    {
      ...definition('Compile servers', rootId),
      rule: ['or', isCompiler, ['=', 'name', 'classic.test']],
      variables: { kept: true },
    },
    { ...definition('Web', rootId), rule: ['~', 'name', 'web'] },
  ]);

  const classifier = await opened(database);
  const again = await opened(database);

  expect(treeOf(classifier)).toMatchObject({ 'PE Compiler': 'PE Master', 'PE Master': 'PE Infrastructure' });
  expect(treeOf(classifier)).not.toHaveProperty('Compile servers');
  expect(named(classifier, 'PE Compiler')).toMatchObject({ id: idOf(0), variables: { kept: true } });
  expect(groupsOf(classifier, 'classic.test')).toEqual(['All Nodes', 'PE Compiler', 'PE Master']);
  expect(groupsOf(classifier, primary)).toContain('PE PuppetDB');
  const names = new Set(['PE Master']);
  const isServer = (name: string) => isEntitled(classifier.hierarchy, names, { name, trusted: {} });
  expect([isServer('classic.test'), isServer('web.test')]).toEqual([true, false]);
  expect(again.hierarchy.all()).toEqual(classifier.hierarchy.all());
});

test('nodes of earlier versions stay in the environments that they had', async () => {
  const database = await earlier([
    { ...definition('Compile servers', rootId), rule: ['or', isCompiler] },
    { ...definition('Web', rootId), rule: ['~', 'name', '.'], environment: 'staging' },
  ]);

  const classifier = await opened(database);

  expect(await environmentOf(classifier, 'web.test')).toBe('staging');
  expect(await environmentOf(classifier, primary)).toBe('staging');
});

test('a group PE Master that somebody made keeps its members and gets those of Compile servers', async () => {
  const database = await earlier([
    { ...definition('Compile servers', rootId), rule: ['or', isCompiler, ['=', 'name', 'classic.test']] },
    { ...definition('PE Master', rootId), rule: ['=', 'name', 'pinned.test'], variables: { own: 1 } },
  ]);

  const classifier = await opened(database);

  expect(named(classifier, 'PE Master')).toMatchObject({ id: idOf(1), variables: { own: 1 } });
  expect(groupsOf(classifier, 'pinned.test')).toEqual(['All Nodes', 'PE Master']);
  expect(groupsOf(classifier, 'classic.test')).toEqual(['All Nodes', 'PE Compiler', 'PE Master']);
});

test('a hierarchy without Compile servers is left alone', async () => {
  const database = await earlier([definition('PE Infrastructure', rootId)]);

  expect(treeOf(await opened(database))).toEqual({
    'All Nodes': undefined,
    'PE Infrastructure': 'All Nodes',
  });
});

async function opened(database: Database): Promise<Classifier> {
  const ids = { next: 100 };
  return await Classifier.open({
    store: new GroupStore(database),
    log: silentLogger,
    primary,
    now,
    newId: () => idOf((ids.next += 1)),
  });
}

/** A database of an earlier version with these groups. */
async function earlier(definitions: readonly GroupDefinition[]): Promise<Database> {
  const database = await openDatabase();
  const state = { serialNumber: 1, lastEdited: now() };
  const groups = definitions.map((each, index) => ({ ...each, ...state, id: idOf(index) }));
  await new GroupStore(database).save([rootGroup(now()), ...groups], []);
  return database;
}

function idOf(number: number): string {
  return `11111111-1111-4111-8111-${String(number).padStart(12, '0')}`;
}

function definition(name: string, parent: string): GroupDefinition {
  const nothing = { classes: {}, variables: {}, configData: {} };
  return { name, parent, environment: 'production', environmentTrumps: false, ...nothing };
}

/** The names of parents, by name. */
function treeOf({ hierarchy }: Classifier): Readonly<Record<string, string | undefined>> {
  const nameOf = (id: string) => hierarchy.find(id)?.name;
  return Object.fromEntries(
    hierarchy.all().map(({ id, name, parent }) => [name, id === rootId ? undefined : nameOf(parent)]),
  );
}

function named({ hierarchy }: Classifier, name: string) {
  const found = hierarchy.all().find((group) => group.name === name);
  if (found === undefined) throw new Error(`no group ${name}`);
  return found;
}

function groupsOf(classifier: Classifier, name: string, extensions: Readonly<Record<string, string>> = {}) {
  const { matching } = classifier.classify({ name, fact: {}, trusted: { extensions } });
  return matching.map((group) => group.name).sort();
}

async function environmentOf(classifier: Classifier, certname: string): Promise<string | undefined> {
  const answer = await new LocalClassifiedNodes(classifier).find({ certname, facts: undefined });
  return answer.environment;
}
