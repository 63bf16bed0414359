/** Commands: versions, order, what cannot be carried out, what is forgotten. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { cleanTasks, listDeadLetters } from '../../src/services/puppetdb/index.ts';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

let puppetDb: RunningPuppetDb;
const warnings: string[] = [];

const certname = 'a.example';
const day = 86_400_000;
const headers = { 'content-type': 'application/json' };

async function send(command: string, version: number, body: unknown): Promise<void> {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  const reply = await fetch(`${puppetDb.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers,
    body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
}

async function ask(query: string): Promise<unknown> {
  const reply = await fetch(`${puppetDb.url}/pdb/query/v4?${new URLSearchParams({ query })}`);
  expect(reply.status).toBe(200);
  return await reply.json();
}

function facts(time: string, values: Readonly<Record<string, unknown>>): unknown {
  return { certname, environment: 'production', producer_timestamp: time, producer: 'p', values };
}

function catalog(time: string, titles: readonly string[]): unknown {
  return {
    certname,
    environment: 'production',
    producer_timestamp: time,
    version: '1',
    transaction_uuid: null,
    producer: 'p',
    resources: titles.map((title) => ({
      type: 'File',
      title,
      tags: ['file'],
      exported: false,
      file: '/site.pp',
      line: 1,
      parameters: { ensure: 'file', title },
    })),
    edges: titles.map((title) => ({
      source: { type: 'Class', title: 'main' },
      target: { type: 'File', title },
      relationship: 'contains',
    })),
  };
}

/** @param times - how often each event is in it */
function report(time: string, events: readonly string[], times = 1): unknown {
  const event = { status: 'success', timestamp: time, property: 'ensure', new_value: 1, old_value: null };
  return {
    certname,
    environment: 'production',
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    producer_timestamp: time,
    transaction_uuid: 'x',
    status: 'changed',
    noop: false,
    metrics: [],
    logs: [],
    resources: events.map((title) => ({
      timestamp: time,
      resource_type: 'File',
      resource_title: title,
      skipped: false,
      events: Array.from({ length: times }, () => event),
    })),
  };
}

describe.each(backends.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let stopDatabase: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    if (!backend.isInstalled) return;
    const { location, stop } = await backend.start();
    stopDatabase = stop;
    const lifetimes = { nodeTtlMs: 7 * day, nodePurgeTtlMs: 14 * day, reportTtlMs: 14 * day };
    puppetDb = await startPuppetDb(location, lifetimes, {
      ...silentLogger,
      warn: (_fields, message) => void warnings.push(message),
    });
  });

  beforeEach(async ({ skip }) => {
    if (backend.isInstalled) await puppetDb.clear();
    else skip();
  });

  afterAll(async () => {
    if (!backend.isInstalled) return;
    await puppetDb.stop();
    await stopDatabase?.();
  });

  test.each([
    [4, facts('2026-11-21', { a: 'b' })],
    [5, { ...Object(facts('2026-11-21', { a: 'b' })), package_inventory: [['bash', '5', 'apt']] }],
  ])('facts of version %d are kept', async (version, body) => {
    await send('replace facts', version, body);

    expect(await ask('facts[certname, name, value]{}')).toEqual([{ certname, name: 'a', value: 'b' }]);
  });

  test.each([
    ['replace facts', '3', 4],
    ['deactivate_node', '2', 3],
    ['store report', '-1', 5],
  ])('%s of version %s is refused: it is retired', async (command, version, least) => {
    const parameters = new URLSearchParams({ command, version, certname });

    const reply = await fetch(`${puppetDb.url}/pdb/cmd/v1?${parameters}`, {
      method: 'POST',
      body: '{}',
      headers,
    });

    const name = command.replaceAll('_', ' ');
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual({
      error:
        `Command "${name}" for certname "${certname}" is invalid. ` +
        `Version ${version} of command "${name}" is retired. The minimum supported version is ${least}.`,
    });
  });

  test('facts of version 4 have no producer, whatever is sent as one', async () => {
    await send('replace facts', 4, facts('2026-11-21', { a: 'b' }));

    expect(await ask('factsets[producer]{}')).toEqual([{ producer: null }]);
  });

  test('what is sent twice in one command is kept once', async () => {
    const twice = <T>(value: T): readonly T[] => [value, value];
    const sent = Object(catalog('2026-11-21T10:00:00Z', ['/a'])) as { readonly edges: readonly unknown[] };
    await send('replace catalog', 9, { ...sent, edges: twice(sent.edges[0]) });
    await send('replace catalog inputs', 1, {
      certname,
      producer_timestamp: '2026-11-21T10:00:00Z',
      catalog_uuid: '5ea3a70b-84c8-426c-813c-dd6492fb829b',
      inputs: twice(['hiera', 'a']),
    });
    await send('store report', 8, report('2026-11-21T10:00:00Z', ['/a'], 2));

    expect(await ask('edges[count()]{}')).toEqual([{ count: 1 }]);
    expect(await ask('["from","catalog_input_contents",["extract",["name"]]]')).toEqual([{ name: 'a' }]);
    expect(await ask('events[count()]{}')).toEqual([{ count: 1 }]);
  });

  test('packages come with facts', async () => {
    const sent = { ...Object(facts('2026-11-21', {})), package_inventory: [['bash', '5', 'apt']] };

    await send('replace facts', 5, sent);

    expect(await ask('package_inventory{}')).toEqual([
      { certname, package_name: 'bash', version: '5', provider: 'apt' },
    ]);
  });

  test('facts that arrive late do not replace newer ones', async () => {
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: 'new', gone: 1 }));
    await send('replace facts', 5, facts('2026-11-21T09:00:00Z', { a: 'old' }));

    expect(await ask('facts[name, value]{}')).toHaveLength(2);
    await send('replace facts', 5, facts('2026-11-21T11:00:00Z', { a: 'newest' }));
    expect(await ask('facts[name, value]{}')).toEqual([{ name: 'a', value: 'newest' }]);
  });

  test('a catalog replaces the one before, resource by resource', async () => {
    await send('replace catalog', 9, catalog('2026-11-21T10:00:00Z', ['/a', '/b']));
    await send('replace catalog', 9, catalog('2026-11-21T11:00:00Z', ['/b', '/c']));

    expect(await ask('resources[title]{ order by title }')).toEqual([{ title: '/b' }, { title: '/c' }]);
    expect(await ask('edges[target_title]{ order by target_title }')).toEqual([
      { target_title: '/b' },
      { target_title: '/c' },
    ]);
  });

  test('a report that is sent twice is kept once', async () => {
    const sent = report('2026-11-21T10:00:00Z', ['/a', '/b']);

    await send('store report', 8, sent);
    await send('store report', 8, sent);

    expect(await ask('reports[count()]{}')).toEqual([{ count: 1 }]);
    expect(await ask('events[resource_title, new_value]{ order by resource_title }')).toEqual([
      { resource_title: '/a', new_value: 1 },
      { resource_title: '/b', new_value: 1 },
    ]);
  });

  test('the latest report is the one that was made last, not the one that arrived last', async () => {
    await send('store report', 8, report('2026-11-21T10:00:00Z', []));
    await send('store report', 8, report('2026-11-21T09:00:00Z', []));

    expect(await ask('nodes[report_timestamp]{}')).toEqual([
      { report_timestamp: '2026-11-21T10:00:00.000Z' },
    ]);
  });

  test('a node is deactivated and comes back with newer facts', async () => {
    puppetDb.setTime(new Date('2026-11-21T12:00:00Z'));
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: 1 }));

    await send('deactivate node', 3, { certname, producer_timestamp: '2026-11-21T12:00:00Z' });

    expect(await ask('nodes{}')).toEqual([]);
    await send('replace facts', 5, facts('2026-11-21T13:00:00Z', { a: 1 }));
    expect(await ask('nodes[certname, deactivated]{}')).toEqual([{ certname, deactivated: null }]);
  });

  test('a node that has sent something since is not deactivated', async () => {
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: 1 }));

    await send('deactivate node', 3, { certname, producer_timestamp: '2026-11-21T09:00:00Z' });

    expect(await ask('nodes[certname]{}')).toEqual([{ certname }]);
  });

  test.each([
    ['replace facts', 99, {}, "Unsupported version 99 of command 'replace facts'"],
    ['replace facts', 5, { certname, values: 5 }, 'values: Invalid input: expected record, received number'],
    ['replace catalog', 9, [], ': Invalid input: expected object, received array'],
    ['store report', 8, 'x"', ': Invalid input: expected object, received string'],
  ])('%s %d that cannot be carried out is kept with the reason', async (command, version, body, reason) => {
    await send(command, version, body);

    const [letter] = await listDeadLetters(puppetDb.database, 10);
    expect(letter).toMatchObject({ command, certname, reason });
  });

  test('silent nodes expire, are purged, and leave nothing behind', async () => {
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: 1 }));
    await send('replace catalog', 9, catalog('2026-11-21T10:00:00Z', ['/a']));
    await send('store report', 8, report('2026-11-21T10:00:00Z', ['/a']));

    puppetDb.setTime(new Date('2026-11-25T10:00:00Z'));
    await puppetDb.puppetDb.admin.clean({ tasks: cleanTasks });
    expect(await ask('nodes[certname]{}')).toEqual([{ certname }]);

    puppetDb.setTime(new Date('2026-12-01T10:00:00Z'));
    await puppetDb.puppetDb.admin.clean({ tasks: cleanTasks });
    expect(await ask('nodes[certname]{}')).toEqual([]);
    expect(await ask('["from","nodes",["extract","certname",["=","node_state","any"]]]')).toEqual([
      { certname },
    ]);

    puppetDb.setTime(new Date('2026-12-25T10:00:00Z'));
    await puppetDb.puppetDb.admin.clean({ tasks: cleanTasks });
    expect(await ask('["from","nodes",["extract","certname",["=","node_state","any"]]]')).toEqual([]);
    expect(await ask('environments{}')).toEqual([]);
    expect(await ask('["from","reports",["=","node_state","any"]]')).toEqual([]);
  });

  test('JSON that is nested without end is kept aside, and no crash', async () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const times = '"producer_timestamp":"2026-11-21T10:00:00Z"';

    await send(
      'replace facts',
      5,
      Buffer.from(`{"certname":"${certname}",${times},"values":{"a":${nested}}}`),
    );
    await send('replace facts', 5, facts('2026-11-21T11:00:00Z', { a: 1 }));

    expect(await listDeadLetters(puppetDb.database, 10)).toMatchObject([
      { command: 'replace facts', certname },
    ]);
    expect(await ask('facts[value]{}')).toEqual([{ value: 1 }]);
  });

  test('a title that is longer than an index takes is kept aside where the database does not take it', async () => {
    const title = Array.from({ length: 4000 }, (_, index) =>
      String.fromCharCode(33 + ((index * 7919) % 90)),
    ).join('');

    await send('replace catalog', 9, catalog('2026-11-21T10:00:00Z', [title]));

    const letters = await listDeadLetters(puppetDb.database, 10);
    const rows = await ask('resources[title]{}');
    expect(letters.length + (rows as unknown[]).length).toBe(1);
  });

  test('what no database can keep becomes what the real one makes of it', async () => {
    const values = '{"lone":"a\\ud800b","nul":"a\\u0000b","pair":"\\ud83d\\ude00","key\\udc00":1}';
    const time = '2026-11-21T10:00:00Z';
    const body = Buffer.from(`{"certname":"${certname}","producer_timestamp":"${time}","values":${values}}`);

    await send('replace facts', 5, body);

    expect(await ask('facts[name, value]{ order by name }')).toEqual([
      { name: 'key?', value: 1 },
      { name: 'lone', value: 'a?b' },
      { name: 'nul', value: 'a\ufffdb' },
      { name: 'pair', value: '\u{1f600}' },
    ]);
  });

  test('bytes that are not UTF-8 are told of, and become U+FFFD as in the real one', async () => {
    warnings.length = 0;
    const head = `{"certname":"${certname}","producer_timestamp":"2026-11-21T10:00:00Z","values":`;

    await send('replace facts', 5, Buffer.from(`${head}{"a":"caf\xe9"}}`, 'latin1'));

    expect(await ask('facts[name, value]{}')).toEqual([{ name: 'a', value: 'caf\ufffd' }]);
    expect(warnings).toEqual(['command has invalid UTF-8 byte sequences, kept as U+FFFD']);
  });

  test('queries with thousands of names are answered', async () => {
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: 1 }));
    const names = Array.from({ length: 5000 }, (_, index) => `node${index}.example`);

    const array = [
      'from',
      'nodes',
      ['extract', 'certname', ['in', 'certname', ['array', [...names, certname]]]],
    ];
    const either = [
      'from',
      'nodes',
      [
        'extract',
        'certname',
        ['or', ...[...names.slice(0, 3000), certname].map((name) => ['=', 'certname', name])],
      ],
    ];

    for (const query of [array, either]) {
      const reply = await fetch(`${puppetDb.url}/pdb/query/v4`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      expect(await reply.json()).toEqual([{ certname }]);
    }
  });

  test('keys that no path can name are not found', async () => {
    await send('replace facts', 5, facts('2026-11-21T10:00:00Z', { a: { b: 1 } }));

    expect(await ask('["from","inventory",["=","facts.a.\\"b\\"c\\"",1]]')).toEqual([]);
  });
});
