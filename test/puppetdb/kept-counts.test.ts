/** Stored paths of facts and counts of resources equal those computed from the facts and resources themselves. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/platform/storage/index.ts';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const installed = backends.filter(({ isInstalled }) => isInstalled);

describe.each(installed)('on $name', (backend) => {
  let puppetDb: RunningPuppetDb;
  let stopBackend: () => Promise<void>;

  beforeAll(async () => {
    const { location, stop } = await backend.start();
    stopBackend = stop;
    puppetDb = await startPuppetDb(location);
    for (const certname of ['a.test', 'b.test', 'c.test', 'd.test'])
      await store(certname, {
        os: { name: certname, '2.5': [1, { x: 1.5 }] },
        up: true,
        none: null,
        empty: {},
      });
    await store('b.test', { os: 'Debian', up: 12, 'a b"c': [[]] });
    await store('c.test', { many: Array.from({ length: 600 }, (_, index) => index) });
  });
  afterAll(async () => {
    await puppetDb.stop();
    await stopBackend();
  });

  let times = 0;

  async function store(certname: string, values: Readonly<Record<string, unknown>>, more = 0): Promise<void> {
    const head = {
      certname,
      environment: 'production',
      producer: 'p',
      producer_timestamp: new Date(Date.parse('2026-11-21T10:00:00Z') + ++times * 1000).toISOString(),
    };
    const resource = (type: string, title: string, exported = false) => ({
      type,
      title,
      exported,
      tags: [],
      parameters: {},
    });
    const catalog = {
      ...head,
      version: '1',
      transaction_uuid: null,
      catalog_uuid: null,
      code_id: null,
      job_id: null,
      resources: [
        resource('File', `/etc/${certname}`),
        resource('File', '/etc/motd', true),
        ...Array.from({ length: more }, (_, index) => resource('Service', String(index))),
      ],
      edges: [],
    };
    await submit('replace_facts', 5, { ...head, values });
    await submit('replace_catalog', 9, catalog);
  }

  async function submit(
    command: string,
    version: number,
    body: Readonly<Record<string, unknown>> & { readonly certname: string },
  ): Promise<void> {
    const payload = Buffer.from(JSON.stringify(body));
    await puppetDb.puppetDb.submit({ command, version, certname: body.certname, payload });
  }

  const ask = async (pql: string) =>
    (await puppetDb.puppetDb.query(pql)) as readonly Readonly<Record<string, unknown>>[];
  const sorted = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.toSorted((a, b) => (String(a['type']) < String(b['type']) ? -1 : 1));
  const texts = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row));

  /** Compares with answers that use no stored paths and counts. Unused paths are deleted with the garbage, as in the reference. */
  async function expectSame(): Promise<void> {
    await puppetDb.puppetDb.admin.clean({ tasks: ['other'] });
    const contents = await ask('fact_contents[path, name] {}');
    const paths = await ask('fact_paths[path, name] { order by path }');
    expect(new Set(texts(paths))).toEqual(new Set(texts(contents)));
    expect(texts(paths)).toHaveLength(new Set(texts(paths)).size);

    const resources = await ask('resources[type] {}');
    const counted = sorted(await ask('resources[type, count()] { group by type }'));
    const byType = Map.groupBy(resources, ({ type }) => type);
    expect(counted).toEqual(sorted(Array.from(byType, ([type, { length }]) => ({ type, count: length }))));
    expect(await ask('resources[count()] { type = "File" }')).toEqual([
      { count: resources.filter(({ type }) => type === 'File').length },
    ]);
    expect(await ask('resources[count()] {}')).toEqual([{ count: resources.length }]);
  }

  test('they are the same, whatever values there are', async () => {
    await expectSame();
    const [types] = [await ask('fact_paths[type] { name = "up" order by type }')];
    expect(types).toEqual([{ type: 'boolean' }, { type: 'integer' }]);
    expect(await ask('fact_paths { path = ["os", "2.5", 1, "x"] }')).toEqual([
      { path: ['os', '2.5', 1, 'x'], name: 'os', type: 'float' },
    ]);
  });

  test('they are the same when values and catalogs change, and for a condition on nodes', async () => {
    await store('a.test', { os: { name: 'x', other: '1' } }, 3);
    await store('d.test', { os: { name: 'x' } }, 3);
    await expectSame();

    expect(await ask('resources[type, count()] { certname = "a.test" group by type }')).toEqual([
      { type: 'File', count: 2 },
      { type: 'Service', count: 3 },
    ]);
    expect(await ask('resources[type, count()] { certname ~ "a" and type ~ "^S" group by type }')).toEqual([
      { type: 'Service', count: 3 },
    ]);
  });

  test('they are the same where an earlier release has stored, and after that', async () => {
    await puppetDb.database.write([
      sql`update pdb_facts set shape = null where name = ${'os'}`,
      sql`update pdb_catalogs set content = ${'other'} where resource_count = ${5}`,
    ]);
    await expectSame();

    await store('a.test', { os: { name: 'x', other: '1', more: true } });
    await expectSame();
  });

  test('unused paths and counts are deleted', async () => {
    for (const certname of ['a.test', 'b.test', 'c.test', 'd.test']) await store(certname, { up: '1' });
    await puppetDb.puppetDb.admin.clean({ tasks: ['other'] });

    expect(await puppetDb.database.read(sql`select name, shape from pdb_fact_shapes`)).toEqual([
      { name: 'up', shape: 'string' },
    ]);
    const counts = await puppetDb.database.read(sql`select distinct counts from pdb_resource_counts`);
    expect(counts).toHaveLength(1);
    await expectSame();
  });
});
