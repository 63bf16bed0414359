/** The console's counts and comparisons, compared with PuppetDB's answers to the queries that its pages show. */

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventConditions } from '../../console/src/lib/event-filter.ts';
import { updatesQuery, waitingQuery } from '../../console/src/lib/package-updates.ts';
import { type PqlQuery, pqlText } from '../../console/src/lib/pql.ts';
import { silentLogger } from '../../src/platform/log/index.ts';
import { consoleFleet } from '../../src/server/node-data/console-fleet.ts';
import { consoleNodes } from '../../src/server/node-data/console-nodes.ts';
import { ownPuppetDb } from '../../src/server/node-data/own-termini.ts';
import {
  ExportDownloads,
  exportRoutes,
  type FleetSource,
  inspectRoutes,
  NodeLists,
  PackageCounts,
} from '../../src/services/console/index.ts';
import {
  CatalogDiffWire,
  EventSumsWire,
  FacetsWire,
  PackagePageWire,
} from '../../src/services/console/wire.ts';
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

let running: RunningPuppetDb;
let fleet: FleetSource;
let lists: NodeLists;
let packages: PackageCounts;

beforeAll(async () => {
  running = await startPuppetDb();
  const own = ownPuppetDb(settings, running.puppetDb, silentLogger);
  fleet = consoleFleet(
    own.compiler,
    () => Promise.reject(new Error('nothing is compiled here')),
    async (query, aborted) => {
      const parts = await running.puppetDb.queryParts({ kind: 'root', query }, aborted, 'exports');
      return typeof parts === 'string' ? Readable.from([parts]) : parts;
    },
  );
  const source = consoleNodes(own.compiler, (listener) => running.puppetDb.onStored(listener));
  lists = new NodeLists(source, { ...clocks, unresponsiveAfterMs: 3_600_000 });
  packages = new PackageCounts(fleet, clocks);
  for (let number = 0; number < 12; number++) await sendNode(number);
});
afterAll(async () => {
  lists.close();
  packages.close();
  await running.stop();
});

async function send(command: string, version: number, body: Readonly<Record<string, unknown>>) {
  const certname = String(body['certname']);
  const payload = Buffer.from(JSON.stringify(body));
  await running.puppetDb.submit({ command, version, certname, payload });
}

const nameOf = (number: number) => `web${number}.example.test`;
const time = new Date(nowMs - 60_000).toISOString();

/** Every third node fails, every fourth corrected drift, one has no-op and skipped events, one another environment; two versions of a package. */
async function sendNode(number: number): Promise<void> {
  const certname = nameOf(number);
  const environment = number === 11 ? 'testing' : 'production';
  const head = { certname, environment, producer: 'p', producer_timestamp: time };
  await send('replace_facts', 5, {
    ...head,
    values: {
      os: { name: number < 8 ? 'Debian' : 'RedHat', dns: [{ a: 1 }] },
      ...(number === 0 ? {} : { role: 'web' }),
      pe_patch: {
        security_package_updates: number < 5 ? ['openssl'] : [],
        package_updates: ['openssl', 'vim'],
      },
    },
    package_inventory: [
      ['openssl', number < 6 ? '3.0.1' : '3.0.2', 'apt'],
      ['Zsh', '5.9', 'apt'],
    ],
  });
  await send('replace_catalog', 9, {
    ...head,
    version: `v${number}`,
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: null,
    job_id: null,
    resources: [
      resource('Class', 'Web', {}),
      resource('File', '/etc/motd', {
        content: `Welcome to ${certname}`,
        mode: number === 2 ? '0600' : '0644',
      }),
      resource('File', `/etc/ssl/${certname}.pem`, { ensure: 'file' }),
      ...(number === 2 ? [resource('Service', 'nginx', { ensure: 'running' })] : []),
    ],
    edges: [
      {
        source: { type: 'Class', title: 'Web' },
        target: { type: 'File', title: '/etc/motd' },
        relationship: 'contains',
      },
    ],
  });
  await sendReport(number, head);
}

function resource(type: string, title: string, parameters: Readonly<Record<string, unknown>>) {
  return { type, title, parameters, tags: [], exported: false, file: '/code/web.pp', line: 1 };
}

async function sendReport(number: number, head: Readonly<Record<string, unknown>>): Promise<void> {
  const isFailed = number % 3 === 0;
  const event = (status: string, message: string, isCorrective = false) => ({
    status,
    timestamp: time,
    property: 'ensure',
    name: 'x',
    new_value: 'present',
    old_value: 'absent',
    message,
    corrective_change: isCorrective,
  });
  const happened = (type: string, title: string, events: readonly unknown[]) => ({
    resource_type: type,
    resource_title: title,
    timestamp: time,
    skipped: false,
    file: '/code/web.pp',
    line: 2,
    containment_path: ['Stage[main]', 'Web', `${type}[${title}]`],
    corrective_change: false,
    events,
  });
  await send('store_report', 8, {
    ...head,
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    transaction_uuid: `${head['certname']}`,
    metrics: [],
    logs: [],
    status: isFailed ? 'failed' : 'changed',
    noop: false,
    noop_pending: false,
    corrective_change: number % 4 === 0,
    resources: [
      happened('File', '/etc/motd', [event('success', 'created', number % 4 === 0)]),
      ...(number === 4 ? [happened('Cron', 'backup', [event('success', 'created')])] : []),
      ...(isFailed
        ? [happened('Service', 'nginx', [event('failure', 'could not start'), event('failure', 'again')])]
        : []),
      ...(number === 1
        ? [
            happened('Exec', 'a', [event('noop', 'would run'), event('noop', 'would run again')]),
            { ...happened('Exec', 'b', []), skipped: true },
          ]
        : []),
    ],
  });
}

/** As a route answers. */
async function ask<T>(name: string, body: unknown, shape: { parse(value: unknown): T }): Promise<T> {
  const routes = inspectRoutes({ lists, source: fleet, packages, steadyMs: () => performance.now() });
  const route = routes.find(({ path }) => path === `/console-api/v1/${name}`);
  if (route === undefined) throw new Error(`there is no route ${name}`);
  const request = { body: () => Promise.resolve(Buffer.from(JSON.stringify(body))), signal };
  const { body: answer } = await route.handle({ ...request, identity: { kind: 'anonymous' } } as never);
  return shape.parse(JSON.parse(String(answer)));
}

describe('values of facts', () => {
  test('are counted, the most frequent first', async () => {
    const found = await ask('facets', { field: 'fact.os.name' }, FacetsWire);

    expect(found).toMatchObject({
      values: [
        { value: 'Debian', count: 8 },
        { value: 'RedHat', count: 4 },
      ],
      distinct: 2,
      total: 12,
      without: 0,
    });
  });

  test('are those of the nodes that a filter finds, by the index or by PuppetDB', async () => {
    const found = await ask(
      'facets',
      { field: 'fact.role', q: 'status:failed fact.os.name=Debian' },
      FacetsWire,
    );

    // Nodes 0, 3 and 6; the first has no role.
    expect(found).toMatchObject({ values: [{ value: 'web', count: 2 }], total: 3, without: 1 });
    expect(await running.puppetDb.query(found.pql)).toContainEqual({ 'facts.role': 'web', count: 2 });
  });

  test('may be lists; the rarest are left out when there are too many', async () => {
    expect((await ask('facets', { field: 'fact.os.dns' }, FacetsWire)).values).toEqual([
      { value: [{ a: 1 }], count: 12 },
    ]);
    const found = await ask('facets', { field: 'fact.os.name', limit: 1 }, FacetsWire);
    expect([found.values.length, found.distinct]).toEqual([1, 2]);
  });

  test('of the index are its own', async () => {
    const found = await ask('facets', { field: 'status' }, FacetsWire);

    expect(found.values.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(12);
    expect(found.values[0]).toEqual({ value: 'intentional', count: 6 });
  });

  test('of unknown fields are refused', async () => {
    for (const field of ['fact.', 'certname', 'fact.a"b', 'facts.os'])
      await expect(ask('facets', { field }, FacetsWire)).rejects.toThrow('field');
  });
});

describe('events', () => {
  const counted = async (asked: object) =>
    (await ask('events/query', asked, EventSumsWire)).rows.map(({ events, nodes, subject }) => [
      subject,
      nodes,
      events,
    ]);

  test.each([
    ['class', [['Web', 4, 8]]],
    ['resource', [['Service[nginx]', 4, 8]]],
    [
      'message',
      [
        ['could not start', 4, 4],
        ['again', 4, 4],
      ],
    ],
  ])('that failed, by %s', async (by, expected) => {
    expect(new Set(await counted({ by, status: 'failed', latest: true }))).toEqual(new Set(expected));
  });

  test('corrective and intentional changes of one run are separate', async () => {
    const of = async (status: string) => (await counted({ by: 'node', status })).map(([subject]) => subject);

    expect(new Set(await of('corrective'))).toEqual(new Set([nameOf(0), nameOf(4), nameOf(8)]));
    expect(await of('intentional')).toHaveLength(10);
    const changes = async (status: string) =>
      await counted({ by: 'resource', status, environment: 'production' });
    expect(await changes('corrective')).toEqual([['File[/etc/motd]', 3, 3]]);
    expect(new Set(await changes('intentional'))).toEqual(
      new Set([
        ['File[/etc/motd]', 8, 8],
        ['Cron[backup]', 1, 1],
      ]),
    );
  });

  test('are of a time, an environment, and a part of the subject', async () => {
    const after = new Date(nowMs).toISOString();

    expect(await counted({ from: after })).toEqual([]);
    expect(await counted({ to: after, environment: 'other' })).toEqual([]);
    expect(await counted({ by: 'message', q: 'could not' })).toEqual([['could not start', 4, 4]]);
    expect(await counted({ by: 'message', q: 'c.uld' })).toEqual([]);
  });

  test.each([
    ['failed', 0, 2],
    ['corrective', 0, 1],
    ['corrective', 4, 1],
    ['intentional', 4, 1],
    ['intentional', 1, 1],
    ['noop', 1, 2],
    ['skipped', 1, 1],
  ] as const)('that are %s are as many as the query of the page finds', async (status, number, expected) => {
    const conditions = eventConditions({ status, latest: true }, 'node', nameOf(number));
    const pql = pqlText({ entity: 'events', columns: ['certname'], conditions });
    const found = (await running.puppetDb.query(pql)) as readonly unknown[];

    expect(found).toHaveLength(expected);
    expect(await counted({ by: 'node', status, latest: true, q: `${nameOf(number)}` })).toContainEqual([
      nameOf(number),
      1,
      expected,
    ]);
  });
});

async function exported(body: object): Promise<string> {
  const [route] = exportRoutes({ lists, packages, fleet }, new ExportDownloads());
  const request = { body: () => Promise.resolve(Buffer.from(JSON.stringify(body))), signal };
  const answer = await route?.handle(request as never);
  return await text(answer?.body as Readable);
}

describe('exports', () => {
  test('of a query have the rows of PuppetDB', async () => {
    const pql = 'resources[certname, title, parameters] { type = "File" order by certname, title }';
    const lines = (await exported({ list: 'query', pql, format: 'ndjson' })).trimEnd().split('\n');

    expect(lines).toHaveLength(24);
    expect(lines.map((line) => JSON.parse(line))).toEqual(await running.puppetDb.query(pql));
  });

  test('of fact values are complete', async () => {
    expect(await exported({ list: 'facts', field: 'fact.os.name' })).toBe(
      'value,count\r\nDebian,8\r\nRedHat,4\r\n',
    );
  });

  test('of an invalid query are refused with the error of PuppetDB', async () => {
    await expect(exported({ list: 'query', pql: 'nodes[' })).rejects.toThrow('PQL');
  });
});

describe('packages', () => {
  const asked = async (query: object) => await ask('packages/query', query, PackagePageWire);

  test('are counted by version, in pages by name', async () => {
    const first = await asked({ limit: 2 });
    const second = await asked({ limit: 2, after: first.next });

    expect([...first.rows, ...second.rows]).toEqual([
      { name: 'openssl', version: '3.0.1', provider: 'apt', nodes: 6 },
      { name: 'openssl', version: '3.0.2', provider: 'apt', nodes: 6 },
      { name: 'Zsh', version: '5.9', provider: 'apt', nodes: 12 },
    ]);
    expect([first.total, second.next]).toEqual([3, null]);
  });

  test('can be sorted by how many nodes have them', async () => {
    const { rows, next } = await asked({ order_by: 'nodes', limit: 1 });

    expect(rows[0]?.name).toBe('Zsh');
    expect((await asked({ order_by: 'nodes', after: next })).rows).toHaveLength(2);
  });

  test('of one environment are those of the nodes whose last run was in it, also in exports', async () => {
    const { rows } = await asked({ environment: 'testing', name: 'openssl' });
    const { rows: others } = await asked({ environment: 'production', q: 'openssl' });

    expect(rows).toEqual([{ name: 'openssl', version: '3.0.2', provider: 'apt', nodes: 1 }]);
    expect(others.map(({ nodes }) => nodes)).toEqual([6, 5]);
    expect(await asked({ environment: 'none' })).toMatchObject({ total: 0, is_collected: false });
    expect(await exported({ list: 'packages', environment: 'testing', order_by: 'nodes' })).toBe(
      'name,version,provider,nodes\r\nopenssl,3.0.2,apt,1\r\nZsh,5.9,apt,1\r\n',
    );
  });

  test('lead to their nodes', async () => {
    const asOne = {
      orderBy: { field: 'certname', isDescending: false },
      limit: 50,
      after: undefined,
      factPaths: [],
    } as const;

    expect((await lists.find({ ...asOne, search: 'package:openssl@3.0.1' }, signal)).total).toBe(6);
    expect((await lists.find({ ...asOne, search: 'package:openssl' }, signal)).total).toBe(12);
  });

  test('that wait for updates are those of the facts', async () => {
    const rowsOf = async (query: PqlQuery) =>
      (await running.puppetDb.query(pqlText(query))) as readonly unknown[];

    expect(await rowsOf(updatesQuery('security', undefined))).toEqual([{ value: 'openssl', count: 5 }]);
    expect(await rowsOf(waitingQuery('updates', 'vim', undefined))).toHaveLength(12);
    expect(await rowsOf(updatesQuery('updates', 'testing'))).toEqual([
      { value: 'openssl', count: 1 },
      { value: 'vim', count: 1 },
    ]);
    expect(await rowsOf(waitingQuery('updates', 'vim', 'testing'))).toEqual([{ certname: nameOf(11) }]);
  });

  test('of a page that no answer has named are refused', async () => {
    await expect(asked({ after: 'x' })).rejects.toThrow('after has to be the value of next');
  });
});

describe('catalogs', () => {
  const compare = async (left: string, right: string) =>
    await ask('catalogs/diff', { left: { certname: left }, right: { certname: right } }, CatalogDiffWire);

  test('differ in parameters and resources; what repeats the name of the node is known', async () => {
    const { edges, is_same: isSame, resources } = await compare(nameOf(1), nameOf(2));

    expect(isSame).toBe(false);
    expect(resources.changed).toEqual([
      {
        reference: 'File[/etc/motd]',
        changes: [
          {
            name: 'content',
            before: `Welcome to ${nameOf(1)}`,
            after: `Welcome to ${nameOf(2)}`,
            is_noise: true,
          },
          { name: 'mode', before: '0644', after: '0600', is_noise: false },
        ],
      },
    ]);
    expect(resources.added.map(({ is_noise, reference }) => [reference, is_noise])).toEqual([
      [`File[/etc/ssl/${nameOf(2)}.pem]`, true],
      ['Service[nginx]', false],
    ]);
    expect(resources.removed.map(({ is_noise }) => is_noise)).toEqual([true]);
    expect(edges).toEqual({ added: [], removed: [] });
  });

  test('of the same node are the same', async () => {
    const found = await compare(nameOf(1), nameOf(1));

    expect(found.is_same).toBe(true);
    expect(found.left).toMatchObject({
      certname: nameOf(1),
      environment: 'production',
      version: 'v1',
      resources: 3,
    });
  });

  test('of an unknown node are not there', async () => {
    await expect(compare(nameOf(1), 'other.example.test')).rejects.toThrow(
      'PuppetDB has no catalog of other.example.test',
    );
  });

  test('are compiled for those alone who may', async () => {
    const body = { left: { certname: nameOf(1), source: 'compile' }, right: { certname: nameOf(1) } };

    await expect(ask('catalogs/diff', body, CatalogDiffWire)).rejects.toThrow(
      'puppetserver:compile_catalogs',
    );
  });
});
