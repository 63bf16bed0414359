/** What servers say of their agents' runs, as PuppetDB then knows it. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/platform/log/index.ts';
import { type Database, migrate, openSqliteDatabase, sql } from '../../src/platform/storage/index.ts';
import {
  type CommandSink,
  type NodeData,
  nodeData,
  ownDestination,
  straightTo,
  throughOutbox,
} from '../../src/server/node-data/node-data.ts';
import { Outbox, OutboxStore, outboxMigrations } from '../../src/services/outbox/index.ts';
import { decodeReport } from '../../src/services/reports/index.ts';
import { backends } from '../support/backends.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const certname = 'web01.example.com';
const trusted = { authenticated: 'remote', certname, extensions: { pp_role: 'web' }, external: {} } as const;
const run = {
  certname,
  environment: 'production',
  version: 1795287760,
  codeId: 'code-1',
  transactionUuid: '3f8ea055-cbac-4dac-acdf-4cc77b00320e',
  jobId: null,
};
const content = (title: string) =>
  `"resources":[{"type":"File","title":"${title}","tags":["file"],"file":"/site.pp","line":1,"exported":false,` +
  `"kind":"compilable_type","parameters":{"ensure":"file"}},{"type":"Class","title":"main","tags":["class"],` +
  `"exported":false,"kind":"class","parameters":{}}],"edges":[{"source":{"type":"Class","title":"main"},` +
  `"target":{"type":"File","title":"${title}"},"relationship":"contains"}]`;
const uuid = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;

for (const backend of backends)
  describe.skipIf(!backend.isInstalled)(`On ${backend.name}`, () => {
    let puppetDb: RunningPuppetDb;
    let database: Database;
    let directory: string;
    let stopBackend: () => Promise<void>;
    let store: OutboxStore;
    let now: Date;

    beforeAll(async () => {
      const started = await backend.start();
      stopBackend = () => started.stop();
      puppetDb = await startPuppetDb(started.location);
      directory = await mkdtemp(join(tmpdir(), 'bunraku-node-data-'));
      database = await openSqliteDatabase({ path: join(directory, 'database.sqlite') });
      await migrate(database, outboxMigrations);
      store = new OutboxStore(database, () => now);
    });
    afterAll(async () => {
      await database.close();
      await rm(directory, { recursive: true, force: true });
      await puppetDb.stop();
      await stopBackend();
    });
    beforeEach(async () => {
      now = new Date('2026-11-21T10:00:00.000Z');
      await puppetDb.clear();
      await database.write([sql`delete from outbox_contents`, sql`delete from outbox_commands`]);
    });

    const ask = (query: string) => puppetDb.puppetDb.query(query);
    const later = () => {
      now = new Date(now.getTime() + 60_000);
    };
    const dataOf = (sink: CommandSink): NodeData =>
      nodeData({
        sink,
        producer: 'puppet.example.com',
        now: () => now,
        hasUnchangedResources: false,
        log: silentLogger,
      });
    const save = (data: NodeData, last: number, id: string, text?: string) =>
      data.catalogs.save({ ...run, catalogUuid: uuid(last) }, id, text);

    test('a run is there with all that the terminus of Puppet Server sends', async () => {
      const data = dataOf(straightTo(puppetDb.puppetDb, store));
      const sent = JSON.parse(
        await readFile(new URL('../../src/services/reports/recorded/report.json', import.meta.url), 'utf8'),
      );

      await data.facts.save(
        {
          certname,
          values: { mb: 4096 },
          exactValues: '{"mb":4096.0}',
          producedAt: undefined,
          expiresAt: undefined,
        },
        'production',
        trusted,
      );
      await save(data, 1, 'c1', content('/etc/motd'));
      const report = decodeReport(sent, certname);
      await data.reports.process(report, data.reports.make(report, ''));

      expect(await ask('inventory[certname, environment, trusted] {}')).toEqual([
        {
          certname,
          environment: 'production',
          trusted: {
            ...trusted,
            hostname: 'web01',
            domain: 'example.com',
          },
        },
      ]);
      const facts = await puppetDb.puppetDb.queryText(
        { kind: 'root', query: 'facts[value] { name = "mb" }' },
        new AbortController().signal,
      );
      expect(facts).toContain('4096.0');
      expect(await ask('catalogs[catalog_uuid, code_id, version, producer, transaction_uuid] {}')).toEqual([
        {
          catalog_uuid: uuid(1),
          code_id: 'code-1',
          version: '1795287760',
          producer: 'puppet.example.com',
          transaction_uuid: run.transactionUuid,
        },
      ]);
      expect(await ask('resources[type, title, parameters] { type = "File" }')).toEqual([
        { type: 'File', title: '/etc/motd', parameters: { ensure: 'file' } },
      ]);
      expect(await ask('edges[source_title, target_title, relationship] {}')).toEqual([
        { source_title: 'main', target_title: '/etc/motd', relationship: 'contains' },
      ]);
      expect(await ask('reports[status, noop, environment, producer] {}')).toEqual([
        { status: 'failed', noop: false, environment: 'production', producer: 'puppet.example.com' },
      ]);
      const counts = await ask('events[count(), status] { group by status }');
      expect(counts).toHaveLength(4);
      expect(counts).toEqual(
        expect.arrayContaining([
          { count: 1, status: 'failure' },
          { count: 1, status: 'noop' },
          { count: 1, status: 'skipped' },
          { count: 4, status: 'success' },
        ]),
      );
    });

    test.each(['straight', 'through an outbox'])(
      'an unchanged catalog is renewed by the name of its content, %s',
      async (way) => {
        const outbox = new Outbox({
          store,
          destination: ownDestination(puppetDb.puppetDb),
          log: silentLogger,
          retryIntervalMs: 5,
        });
        outbox.start();
        const sink = way === 'straight' ? straightTo(puppetDb.puppetDb, store) : throughOutbox(outbox, store);
        const data = dataOf(sink);
        const settled = async () => expect(await outbox.flushed(300_000)).toBe(true);

        await save(data, 1, 'c1', content('/etc/motd'));
        await settled();
        const known = await data.catalogs.findContent(certname);
        later();
        await save(data, 2, 'c1');
        await settled();
        const renewed = await ask('catalogs[catalog_uuid, producer_timestamp] {}');
        // Another server has replaced it meanwhile.
        await puppetDb.puppetDb.submit({
          command: 'replace_catalog',
          version: 9,
          certname,
          payload: Buffer.from(
            JSON.stringify({
              certname,
              version: '1',
              producer_timestamp: now.toISOString(),
              resources: [],
              edges: [],
            }),
          ),
        });
        later();
        await save(data, 3, 'c1');
        await settled();
        await outbox.stop();

        expect(known).toBe('c1');
        expect(renewed).toEqual([{ catalog_uuid: uuid(2), producer_timestamp: '2026-11-21T10:01:00.000Z' }]);
        expect(await ask('catalogs[catalog_uuid] {}')).toEqual([{ catalog_uuid: uuid(3) }]);
        expect(await ask('resources[title] { type = "File" }')).toEqual([{ title: '/etc/motd' }]);
      },
    );
  });
