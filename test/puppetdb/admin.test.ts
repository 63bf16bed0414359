/** What people and their tools ask besides queries: cleaning, deleting, metrics. Answers are those of the real 7.12.1. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanTasks } from '../../src/services/puppetdb/index.ts';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const day = 86_400_000;
const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed.map((backend) => [backend.name, backend] as const))('%s', (_name, backend) => {
  let puppetDb: RunningPuppetDb;
  let stopDatabase: () => Promise<void>;

  beforeAll(async () => {
    const { location, stop } = await backend.start();
    stopDatabase = stop;
    puppetDb = await startPuppetDb(location, { nodeTtlMs: day, nodePurgeTtlMs: day, reportTtlMs: day });
  });

  beforeEach(() => puppetDb.clear());

  afterAll(async () => {
    await puppetDb.stop();
    await stopDatabase();
  });

  async function facts(certname: string): Promise<void> {
    const payload = {
      certname,
      environment: 'e',
      producer_timestamp: '2026-11-21T10:00:00Z',
      values: { a: 1 },
    };
    await puppetDb.puppetDb.submit({
      command: 'replace_facts',
      version: 5,
      certname,
      payload: Buffer.from(JSON.stringify(payload)),
    });
  }

  async function command(body: unknown): Promise<readonly [number, unknown]> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await fetch(`${puppetDb.url}/pdb/admin/v1/cmd`, { method: 'POST', body: text });
    return [reply.status, await reply.json()];
  }

  const nodes = (): Promise<readonly unknown[]> =>
    puppetDb.puppetDb.query(['from', 'nodes', ['extract', 'certname', ['=', 'node_state', 'any']]]);

  test('a node is deleted with all that it sent', async () => {
    await facts('a.example');
    await facts('b.example');

    const answer = await command({ command: 'delete', version: 1, payload: { certname: 'a.example' } });

    expect(answer).toEqual([200, { deleted: 'a.example' }]);
    expect(await nodes()).toEqual([{ certname: 'b.example' }]);
    expect(await puppetDb.puppetDb.query('facts[certname]{}')).toEqual([{ certname: 'b.example' }]);
  });

  test('only what was asked for is cleaned', async () => {
    await facts('a.example');
    await facts('b.example');
    puppetDb.setTime(new Date('2026-11-24T11:00:00Z'));

    expect(await command({ command: 'clean', version: 1, payload: ['purge_nodes'] })).toEqual([
      200,
      { ok: true },
    ]);
    expect(await puppetDb.puppetDb.query('nodes{}')).toHaveLength(2);

    await command({ command: 'clean', version: 1, payload: ['expire_nodes'] });
    expect(await puppetDb.puppetDb.query('nodes{}')).toEqual([]);
    expect(await nodes()).toHaveLength(2);

    puppetDb.setTime(new Date('2026-11-28T11:00:00Z'));
    await command({ command: 'clean', version: 1, payload: [['purge_nodes', { batch_limit: 1 }]] });
    expect(await nodes()).toHaveLength(1);
    await command({ command: 'clean', version: 1, payload: [] });
    expect(await nodes()).toEqual([]);
  });

  test('two cannot clean at once', async () => {
    const { puppetDb: cleaned } = puppetDb;

    const answers = await Promise.all([
      cleaned.admin.clean({ tasks: cleanTasks }),
      cleaned.admin.clean({ tasks: cleanTasks }),
    ]);

    expect(answers).toEqual([true, false]);
  });

  test.each([
    ['{"command":"clean","version":2,"payload":[]}', 'nil'],
    ['{"command":"clean","version":1,"payload":["bogus"]}', 'nil'],
    ['{"command":"clean","version":1}', 'nil'],
    ['{"command":"delete","version":1,"payload":{}}', 'nil'],
    ['{"command":"foo","version":1,"payload":[]}', "Valid commands types are: 'clean' and 'delete'"],
  ])('%s is refused', async (body, reason) => {
    expect(await command(body)).toEqual([
      400,
      { error: `Invalid command ${JSON.stringify(body)}: ${reason}` },
    ]);
  });

  test.each([
    ['/pdb/meta/v1/version', 200, '{"version":"7.12.1"}'],
    ['/pdb/meta/v1/version/latest', 200, '{"newer":false,"version":"7.12.1","link":null}'],
    ['/pdb/meta/v1/version?x=1', 400, "Unsupported query parameter 'x'"],
  ])('%s is answered', async (path, status, text) => {
    const reply = await fetch(puppetDb.url + path);

    expect([reply.status, await reply.text()]).toEqual([status, text]);
  });

  async function jolokia(path: string): Promise<unknown> {
    return await (await fetch(`${puppetDb.url}/metrics/v2${path}`)).json();
  }

  test('commands are counted', async () => {
    const before = await jolokia('/read/puppetlabs.puppetdb.mq:name=replace facts.5.processed/Count');
    await facts('a.example');

    const after = await jolokia('/read/puppetlabs.puppetdb.mq:name=replace facts.5.processed/Count');
    expect(Number(Object(after).value) - Number(Object(before).value ?? 0)).toBe(1);
    expect(await jolokia('/read/puppetlabs.puppetdb.mq:name=global.depth')).toEqual({
      request: { mbean: 'puppetlabs.puppetdb.mq:name=global.depth', type: 'read' },
      value: { Count: 0 },
      timestamp: expect.any(Number),
      status: 200,
    });
  });

  test('requests are timed under the paths of the API, whose names are escaped', async () => {
    await fetch(`${puppetDb.url}/pdb/query/v4/nodes/nosuch`);

    expect(
      await jolokia('/read/puppetlabs.puppetdb.http:name=!/pdb!/query!/v4!/nodes.service-time'),
    ).toMatchObject({
      request: { mbean: 'puppetlabs.puppetdb.http:name=/pdb/query/v4/nodes.service-time' },
      value: { DurationUnit: 'milliseconds', RateUnit: 'events/second', Count: expect.any(Number) },
    });
  });

  test('a collector asks for many at once', async () => {
    await facts('a.example');
    const requests = [
      { type: 'read', mbean: 'puppetlabs.puppetdb.population:*' },
      { type: 'read', mbean: 'java.lang:type=Memory', attribute: ['HeapMemoryUsage'] },
      { type: 'read', mbean: 'java.lang:type=Memory', attribute: 'HeapMemoryUsage', path: 'used' },
      { type: 'read', mbean: 'nosuch:name=a' },
      { type: 'read', mbean: 'java.lang:type=Memory', attribute: 'Nosuch' },
      { type: 'exec', mbean: 'java.lang:type=Memory', operation: 'gc' },
    ];

    const reply = await fetch(`${puppetDb.url}/metrics/v2/read`, {
      method: 'POST',
      body: JSON.stringify(requests),
    });

    const missing = 'javax.management.InstanceNotFoundException';
    const noAttribute = 'javax.management.AttributeNotFoundException';
    expect(await reply.json()).toMatchObject([
      { value: { 'puppetlabs.puppetdb.population:name=num-nodes': { Value: expect.any(Number) } } },
      { value: { HeapMemoryUsage: { used: expect.any(Number) } } },
      { value: expect.any(Number) },
      { error_type: missing, error: `${missing} : nosuch:name=a`, status: 404 },
      { error_type: noAttribute, error: `${noAttribute} : No such attribute: Nosuch`, status: 404 },
      { error: 'java.lang.Exception : Operation gc forbidden for MBean java.lang:type=Memory', status: 403 },
    ]);
  });

  test('beans are searched for and listed', async () => {
    expect(await jolokia('/search/puppetlabs.puppetdb.dlo:*')).toMatchObject({
      value: [
        'puppetlabs.puppetdb.dlo:name=puppetlabs.puppetdb.dlo.global.messages',
        'puppetlabs.puppetdb.dlo:name=puppetlabs.puppetdb.dlo.global.filesize',
      ],
    });
    expect(await jolokia('/list/puppetlabs.puppetdb.mq/name=global.depth')).toMatchObject({
      value: { attr: { Count: { rw: false, type: 'long' } } },
    });
    expect(await jolokia('/nosuch')).toEqual({
      error_type: 'java.lang.IllegalArgumentException',
      error: "java.lang.IllegalArgumentException : No type with name 'nosuch' exists",
      status: 400,
    });
  });
});
