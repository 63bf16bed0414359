/** Reports on PostgreSQL are kept in a table for each day. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, openDirectDatabase, sql } from '../../src/platform/storage/index.ts';
import { cleanTasks, puppetDbMigrations } from '../../src/services/puppetdb/index.ts';
import { postgresPrograms, type RunningPostgres, startPostgres } from '../support/running-postgres.ts';
import { type RunningPuppetDb, startPuppetDb } from './running-puppetdb.ts';

const day = 86_400_000;
const certname = 'a.example';
const skipped = postgresPrograms === undefined;
let postgres: RunningPostgres;

beforeAll(async () => {
  if (!skipped) postgres = await startPostgres({ isDurable: false });
});

afterAll(async () => {
  if (!skipped) await postgres.stop();
});

async function send({ puppetDb }: RunningPuppetDb, time: string, title = '/a'): Promise<void> {
  const report = {
    certname,
    environment: 'production',
    puppet_version: '8.0.0',
    report_format: 12,
    configuration_version: '1',
    start_time: time,
    end_time: time,
    producer_timestamp: time,
    transaction_uuid: title,
    status: 'changed',
    metrics: [],
    logs: [],
    resources: [
      {
        timestamp: time,
        resource_type: 'File',
        resource_title: title,
        events: [{ status: 'success', timestamp: time, property: 'ensure', new_value: 1, old_value: null }],
      },
    ],
  };
  const payload = Buffer.from(JSON.stringify(report));
  await puppetDb.submit({ command: 'store_report', version: 8, certname, payload });
}

async function days({ database }: RunningPuppetDb): Promise<readonly string[]> {
  const rows = await database.read(
    sql`select relname from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'pdb_reports'::regclass order by relname`,
  );
  return rows.map(({ relname }) => String(relname));
}

const times = async ({ puppetDb }: RunningPuppetDb): Promise<unknown> =>
  (await puppetDb.query('reports[end_time]{ order by end_time }')).map((row) => Object(row).end_time);

test.skipIf(skipped)('days go as a whole (skipped without PostgreSQL)', async () => {
  const running = await startPuppetDb(await postgres.createDatabase(), { reportTtlMs: 2 * day });
  // Several at once: they make the same day's table.
  const sent = ['/a', '/b', '/c', '/d'].map((title) => send(running, '2026-11-20T23:59:59.999Z', title));
  await Promise.all(sent);
  await send(running, '2026-11-21T00:00:00Z');
  await send(running, '2026-11-21T00:00:00Z');
  await send(running, '1970-01-01T00:00:00Z');
  expect(await days(running)).toEqual(['pdb_reports_d20777', 'pdb_reports_d20778', 'pdb_reports_undated']);

  running.setTime(new Date('2026-11-22T23:00:00Z'));
  await running.puppetDb.admin.clean({ tasks: cleanTasks });
  expect(await times(running)).toHaveLength(5);

  running.setTime(new Date('2026-11-23T00:00:01Z'));
  await running.puppetDb.admin.clean({ tasks: cleanTasks });
  expect(await days(running)).toEqual(['pdb_reports_d20778', 'pdb_reports_undated']);
  expect(await times(running)).toEqual(['2026-11-21T00:00:00.000Z']);
  expect(await running.puppetDb.query('events[count()]{}')).toEqual([{ count: 1 }]);
  expect(await running.puppetDb.query('nodes[report_timestamp]{}')).toEqual([
    { report_timestamp: '2026-11-21T00:00:00.000Z' },
  ]);

  running.setTime(new Date('2026-11-25T00:00:00Z'));
  await running.puppetDb.admin.clean({ tasks: cleanTasks });
  expect(await running.puppetDb.query('nodes[certname, latest_report_hash]{}')).toEqual([
    { certname, latest_report_hash: null },
  ]);
  await running.stop();
});

test.skipIf(skipped)(
  'a database from before is taken over where it is, and is emptied as it grows old (skipped without PostgreSQL)',
  async () => {
    const location = await postgres.createDatabase();
    const before = await openDirectDatabase(location, 'writer');
    await migrate(before, puppetDbMigrations.slice(0, 1));
    await before.write([
      sql`insert into pdb_nodes (certname, expires_facts, latest_report_id, latest_report_timestamp)
        values (${certname}, ${true}, ${1}, ${'2026-11-20T10:00:00.000Z'})`,
      sql`insert into pdb_reports (hash, node_id, puppet_version, report_format, configuration_version, start_time,
          end_time, producer_timestamp, receive_time, type, status, failures, skips, successes, noops)
        values (${'h1'}, ${1}, ${'8'}, ${12}, ${'1'}, ${'2026-11-20T10:00:00.000Z'}, ${'2026-11-20T10:00:00.000Z'},
          ${'2026-11-20T10:00:00.000Z'}, ${'2026-11-20T10:00:00.000Z'}, ${'agent'}, ${'changed'}, ${0}, ${0}, ${1}, ${0})`,
      sql`insert into pdb_report_documents (report_id, metrics, logs) values (${1}, ${'[]'}, ${'[1]'})`,
      sql`insert into pdb_events (report_id, position, status, timestamp, resource_type, resource_title)
        values (${1}, ${0}, ${'success'}, ${'2026-11-20T10:00:00.000Z'}, ${'File'}, ${'/a'})`,
    ]);
    await before.close();

    const running = await startPuppetDb(location, { reportTtlMs: 2 * day });
    await send(running, '2026-11-21T10:00:00Z');
    await send(running, '1970-01-01T00:00:00Z');

    expect(await days(running)).toEqual(['pdb_reports_d20778', 'pdb_reports_undated']);
    expect(await running.puppetDb.query('reports[hash, logs]{ hash = "h1" }')).toMatchObject([
      { hash: 'h1', logs: { data: [1] } },
    ]);
    expect(await running.puppetDb.query('events[count()]{}')).toEqual([{ count: 3 }]);

    running.setTime(new Date('2026-11-22T20:00:00Z'));
    await running.puppetDb.admin.clean({ tasks: cleanTasks });
    expect(await times(running)).toEqual(['2026-11-21T10:00:00.000Z']);
    await running.stop();
  },
);
