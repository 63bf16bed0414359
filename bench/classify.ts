/**
 * `npm run bench -- classify [NODES] [GROUPS]`: how long a node is classified, and how long it takes to say which of all nodes a
 * change of one group changes, with the facts of all of them in PuppetDB. 50,000 nodes and 300 groups when not said.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeMigrations } from '../src/platform/changes/index.ts';
import { silentLogger } from '../src/platform/log/index.ts';
import { migrate, openSqliteDatabase } from '../src/platform/storage/index.ts';
import { knownNodes } from '../src/server/nodes/known-nodes.ts';
import {
  Classifier,
  classifierMigrations,
  GroupStore,
  previewNodes,
} from '../src/services/classifier/index.ts';
import { promise, spread } from './figures.ts';
import { nameOf, startManyNodes, timed } from './puppetdb/many-nodes.ts';

const { signal } = new AbortController();
const rootId = '00000000-0000-4000-8000-000000000000';
const sampled = 2000;
const mostMs = 0.2;
const previewMs = 2000;
const stallMs = 50;

export async function measureClassify([count = 50_000, groups = 300]: readonly number[]): Promise<void> {
  const nodes = await startManyNodes(count);
  const directory = await mkdtemp(join(tmpdir(), 'bunraku-bench-classify-'));
  const database = await openSqliteDatabase({ path: join(directory, 'state.sqlite') });
  try {
    await migrate(database, [...changeMigrations, ...classifierMigrations]);
    const classifier = await openClassifier(database, groups);
    const known = knownNodes(nodes.asked.compiler);
    await measureNodes(classifier, known, count);
    await measurePreviews(classifier, known);
  } finally {
    await database.close();
    await nodes.stop();
    await rm(directory, { recursive: true });
  }
}

type Known = ReturnType<typeof knownNodes>;

async function openClassifier(database: Awaited<ReturnType<typeof openSqliteDatabase>>, groups: number) {
  let ids = 0;
  const classifier = await Classifier.open({
    store: new GroupStore(database),
    log: silentLogger,
    primary: 'primary.example.test',
    now: () => new Date(),
    newId: () => `11111111-1111-4111-8111-${String(++ids).padStart(12, '0')}`,
  });
  for (let number = 0; number < groups; number++)
    await classifier.create({
      name: `Group ${number}`,
      parent: rootId,
      environment: 'production',
      environmentTrumps: false,
      rule: ruleOf(number),
      classes: { [`role_${number}`]: { level: number } },
      variables: {},
      configData: {},
    });
  return classifier;
}

/** Rules as people write them: a role, a name, a fact within a fact, several of them. */
function ruleOf(number: number): ['and' | 'or', ...['=' | '~' | '<', string | string[], string][]] {
  const kinds = [
    ['and', ['=', ['fact', 'role'], `role${number}`]],
    ['or', ['=', 'name', nameOf(number)], ['=', 'name', nameOf(number + 1)]],
    ['and', ['~', 'name', `^web.*${number}\\.`], ['=', ['fact', 'os', 'family'], 'Debian']],
    ['and', ['=', ['trusted', 'extensions', 'pp_role'], `role${number}`], ['<', ['fact', 'rack'], '20']],
  ] as const;
  return kinds[number % kinds.length] as unknown as ReturnType<typeof ruleOf>;
}

async function measureNodes(classifier: Classifier, known: Known, count: number): Promise<void> {
  const names = Array.from({ length: sampled }, (_, index) => nameOf(Math.floor((index * count) / sampled)));
  const sample = [];
  for (let from = 0; from < names.length; from += 50)
    sample.push(...(await known.read(names.slice(from, from + 50), signal)));
  for (const node of sample) classifier.classify(node);
  const times = sample.map((node) => {
    const startedMs = performance.now();
    classifier.classify(node);
    return performance.now() - startedMs;
  });
  const sorted = times.toSorted((a, b) => a - b);
  const mean = times.reduce((sum, each) => sum + each) / times.length;
  console.log(
    `classify one node: mean ${mean.toFixed(3)} ms, p99 ${sorted[Math.floor(times.length * 0.99)]?.toFixed(3)} ms`,
  );
  promise(`a node is classified in under ${mostMs} ms`, mean < mostMs);
}

async function measurePreviews(classifier: Classifier, known: Known): Promise<void> {
  const times: number[] = [];
  const stalls: number[] = [];
  for (const number of [0, 1, 2, 3]) {
    const before = classifier.hierarchy;
    const group = before.all().find(({ name }) => name === `Group ${number}`);
    if (group === undefined) continue;
    const { lastEdited: _, serialNumber, ...definition } = group;
    const change = { ...definition, serialNumber, rule: ruleOf(number + 4), classes: { other: {} } };
    const after = classifier.tryOutAll({ groups: [change], deleted: [] });
    const { ms, result, stallMs: stall } = await timed(() => previewNodes(before, after, known, signal));
    console.log(
      `preview of ${JSON.stringify(group.rule)}: ${result.nodes.length} of ${result.total} nodes change, ${ms.toFixed(0)} ms`,
    );
    times.push(ms);
    stalls.push(stall);
  }
  console.log(`previews: ${spread(times)}; the main thread was busy for ${spread(stalls)}`);
  promise(
    `a preview takes less than ${previewMs} ms`,
    times.every((ms) => ms < previewMs),
  );
  promise(
    `the main thread is never busy for more than ${stallMs} ms`,
    stalls.every((ms) => ms < stallMs),
  );
}
