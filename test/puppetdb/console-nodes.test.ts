/** The console's list of nodes, beside what PuppetDB answers to the same search in its own language. */

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { consoleNodes } from '../../src/server/node-data/console-nodes.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import { NodeLists, type NodeSource } from '../../src/services/console/index.ts';
import { randomFrom } from '../support/random-from.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const { signal } = new AbortController();
const nowMs = Date.parse('2026-11-21T12:00:00Z');
const clocks = { nowMs: () => nowMs, steadyMs: () => 0 };
const settings = {
  certname: 'primary.example',
  confDir: '/nonexistent',
  puppetDbPort: 9081,
  serverPort: 8140,
  storeConfigs: true,
  storeConfigsBackend: 'puppetdb',
};
const asked = {
  search: '',
  orderBy: { field: 'certname', isDescending: false },
  limit: 500,
  after: undefined,
  factPaths: [],
} as const;

let running: RunningPuppetDb;
let source: NodeSource;
let lists: NodeLists;

beforeAll(async () => {
  running = await startPuppetDb();
  const own = ownPuppetDb(settings, running.puppetDb, silentLogger);
  source = consoleNodes(own.compiler, (listener) => running.puppetDb.onStored(listener));
  lists = new NodeLists(source, { ...clocks, unresponsiveAfterMs: 3_600_000 });
  const random = randomFrom(1);
  for (let number = 0; number < 200; number++) await sendNode(number, random);
});
afterAll(async () => {
  lists.close();
  await running.stop();
});

async function send(
  command: string,
  version: number,
  body: { readonly certname: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const payload = Buffer.from(JSON.stringify(body));
  await running.puppetDb.submit({ command, version, certname: body.certname, payload });
}

async function sendNode(number: number, random: () => number): Promise<void> {
  const oneOf = <T>(...values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const certname = `${oneOf('web', 'db')}${number}.example.test`;
  const environment = oneOf('production', 'development');
  const time = new Date(nowMs - oneOf(60_000, 1_800_000, 3_599_000, 3_601_000)).toISOString();
  const head = { certname, environment, producer: 'p', producer_timestamp: time };
  await send('replace_facts', 5, {
    ...head,
    values: { os: { name: oneOf('Debian', 'RedHat') }, cores: oneOf(1, 2, 8), virtual: oneOf(true, false) },
  });
  if (random() < 0.5) await sendCatalog(head);
  if (random() < 0.05) return;
  const isNoop = oneOf(true, false, false);
  await sendReport(head, {
    status: oneOf('changed', 'unchanged', 'failed'),
    noop: oneOf(isNoop, isNoop, null),
    noop_pending: oneOf(true, false, null),
    corrective_change: oneOf(true, false),
  });
}

function sendCatalog(head: { readonly certname: string }): Promise<void> {
  const resource = { type: 'Class', title: 'Apache::Mod::Ssl', tags: [], exported: false, parameters: {} };
  const more = { transaction_uuid: null, catalog_uuid: null, code_id: null, job_id: null };
  return send('replace_catalog', 9, {
    ...head,
    ...more,
    version: '1',
    resources: [resource],
    edges: [],
  });
}

function sendReport(
  head: { readonly certname: string; readonly producer_timestamp: string },
  outcome: object,
): Promise<void> {
  const time = head.producer_timestamp;
  return send('store_report', 8, {
    ...head,
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    transaction_uuid: `${head.certname}${time}`,
    metrics: [],
    logs: [],
    resources: [],
    ...outcome,
  });
}

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count);

const names = (rows: readonly { readonly entry: { readonly certname: string } }[]) =>
  rows.map(({ entry }) => entry.certname);

test.each([
  '',
  'web',
  'WEB1',
  'web .example',
  '"web1"',
  'w.b',
  '-web',
  'environment:production',
  '-environment:production web',
  ...[
    'failed',
    'corrective',
    'intentional',
    'unchanged',
    'noop-failed',
    'noop-corrective',
    'noop-intentional',
    'noop-unchanged',
    'unresponsive',
    'unreported',
  ].flatMap((status) => [`status:${status}`, `-status:${status}`]),
  'fact.os.name=Debian',
  '-fact.os.name=Debian environment:"development"',
  'fact.os.name~^Deb',
  'fact.cores=2',
  'fact.cores>1',
  'fact.cores<=1',
  'fact.virtual=true',
  'fact.none=1',
  'class:apache::mod::ssl',
  'certname:web1.example.test',
  '-certname:"web1.example.test"',
  'failure:"could not \\"start\\" C:\\\\x"',
  '-failure:none status:failed',
  '-class:apache::mod::ssl status:failed',
  'package:openssl',
])('the search %s finds the nodes that PuppetDB finds for its text in PQL', async (search) => {
  const found = await lists.find({ ...asked, search }, signal);
  const expected = (await running.puppetDb.query(found.pql)) as readonly { readonly certname: string }[];

  expect(names(found.rows)).toEqual(expected.map(({ certname }) => certname).sort());
  expect(found.total).toBe(expected.length);
  expect(Object.values(found.counts).reduce((sum, count) => sum + count)).toBe(expected.length);
});

test('each node has one status, and all statuses there are were tried', async () => {
  const { rows } = await lists.find(asked, signal);
  const { counts } = await lists.counts(undefined);

  expect(rows).toHaveLength(200);
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  for (const [status, count] of Object.entries(counts))
    expect(rows.filter((row) => row.status === status)).toHaveLength(count);
});

test.each([undefined, 'production', 'none'])(
  'the runs of each quarter of an hour are those that PuppetDB has (environment: %s)',
  async (environment) => {
    const quarters = await lists.runs(environment);
    const sums = quarters.map(({ counts, fromMs }) => [fromMs, sumOf(counts)] as const);

    expect(sums).toHaveLength(24);
    expect(sums.some(([, sum]) => sum > 0)).toBe(environment !== 'none');
    for (const [fromMs, sum] of sums) {
      const [from, to] = [new Date(fromMs), new Date(fromMs + 900_000)].map((time) => time.toISOString());
      const within = environment === undefined ? '' : ` and environment = "${environment}"`;
      const pql = `reports[count()] { end_time >= "${from}" and end_time < "${to}"${within} }`;
      expect(await running.puppetDb.query(pql)).toEqual([{ count: sum }]);
    }
  },
);

test('runs have the same statuses as nodes', async () => {
  const early = new NodeLists(source, { ...clocks, unresponsiveAfterMs: 86_400_000 });
  onTestFinished(() => early.close());
  const { unresponsive: _none, unreported: _never, ...statuses } = (await early.counts(undefined)).counts;
  const runs = await lists.runs(undefined);

  expect(Object.keys(statuses)).toEqual(Object.keys(runs[0]?.counts ?? {}));
  for (const [status, count] of Object.entries(statuses))
    expect(runs.reduce((sum, { counts }) => sum + counts[status as keyof typeof counts], 0)).toBe(count);
});

test.each(['certname', 'environment', 'report_time', 'status'] as const)(
  'pages sorted by %s, in both directions, hold every node once and in order',
  async (field) => {
    for (const isDescending of [false, true]) {
      const orderBy = { field, isDescending };
      const whole = await lists.find({ ...asked, orderBy }, signal);
      const pages: string[] = [];
      for (let after: string | undefined = '', isFirst = true; after !== undefined; isFirst = false) {
        const page = await lists.find(
          { ...asked, orderBy, limit: 7, after: isFirst ? undefined : after },
          signal,
        );
        pages.push(...names(page.rows));
        expect(page.total).toBe(200);
        after = page.next;
      }
      expect(pages).toEqual(names(whole.rows));
      expect(new Set(pages).size).toBe(200);
    }
  },
);

test('the last to report come first where they are wanted first, those without a report last', async () => {
  const { rows } = await lists.find(
    { ...asked, orderBy: { field: 'report_time', isDescending: true } },
    signal,
  );
  const times = rows.map(({ entry }) => entry.reportTimeMs ?? 0);

  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times.at(-1)).toBe(0);
});

test('a column of a fact has its value, and none where a node has no such fact', async () => {
  const { rows } = await lists.find(
    { ...asked, search: 'fact.cores=8', factPaths: ['cores', 'os.name', 'none'] },
    signal,
  );

  expect(rows.length).toBeGreaterThan(0);
  for (const { facts } of rows)
    expect(facts).toEqual({ cores: 8, 'os.name': expect.stringMatching(/^(Debian|RedHat)$/) });
});

test.each([
  ['status:broken', 'broken is not a status'],
  ['colour:red', 'colour: is not a known filter'],
  ['class:', 'class: needs a value'],
  ['fact.cores>many', '> needs a number'],
  ['fact.os name=Debian fact.a"b=1', 'is not the name of a fact'],
])('the search %s is refused, naming the term', async (search, message) => {
  await expect(lists.find({ ...asked, search }, signal)).rejects.toThrow(message);
});

test('a page that no answer has named is refused', async () => {
  for (const after of ['', 'x', Buffer.from('[1]').toString('base64url')])
    await expect(lists.find({ ...asked, after }, signal)).rejects.toThrow(
      'after has to be the value of next',
    );
});

test('what is stored shows within a second, and what is over goes', async () => {
  const certname = 'web7000.example.test';
  const time = new Date(nowMs).toISOString();
  await send('replace_facts', 5, {
    certname,
    environment: 'production',
    producer: 'p',
    producer_timestamp: time,
    values: {},
  });
  const find = async () => (await lists.find({ ...asked, search: certname }, signal)).rows[0]?.status;
  await expect.poll(find, { timeout: 5000 }).toBe('unreported');

  const failedRuns = async () =>
    (await lists.runs(undefined)).reduce((sum, { counts }) => sum + counts.failed, 0);
  const before = await failedRuns();
  await sendReport({ certname, producer_timestamp: time }, { status: 'failed', noop: false });
  await expect.poll(find, { timeout: 5000 }).toBe('failed');
  expect(await failedRuns()).toBe(before + 1);

  await send('deactivate_node', 3, { certname, producer_timestamp: time });
  await expect.poll(find, { timeout: 5000 }).toBeUndefined();
});

test('nothing is read before somebody asks, and a failure is tried again', async () => {
  let failures = 1;
  const calls: string[] = [];
  const flaky: NodeSource = {
    ...source,
    async names(...given) {
      calls.push('names');
      if (failures-- > 0) throw new Error('PuppetDB is away');
      return await source.names(...given);
    },
  };
  const others = new NodeLists(flaky, { ...clocks, unresponsiveAfterMs: 3_600_000 });
  expect(calls).toEqual([]);

  await expect(others.counts(undefined)).rejects.toThrow('PuppetDB is away');
  expect((await others.counts('production')).counts.failed).toBeGreaterThan(0);
  others.close();
});
