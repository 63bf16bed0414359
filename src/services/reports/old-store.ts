/** Where reports were kept before they went to PuppetDB: read once more, and never written. */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Database, decodeTimestamp, type Migration, sql } from '../../platform/storage/index.ts';
import { decodeReport, type Report } from './wire.ts';

export const oldReportMigrations: readonly Migration[] = [
  {
    component: 'reports',
    number: 1,
    name: 'keep reports',
    statements: ({ types }) => [
      `create table reports (
        id ${types.identity},
        certname ${types.text} not null,
        digest ${types.text} not null,
        environment ${types.text},
        status ${types.text},
        started_at ${types.timestamp} not null,
        received_at ${types.timestamp} not null,
        puppet_version ${types.text},
        configuration_version ${types.text},
        transaction_uuid ${types.text},
        catalog_uuid ${types.text},
        code_id ${types.text},
        is_noop ${types.boolean} not null,
        is_noop_pending ${types.boolean} not null,
        is_corrective ${types.boolean} not null,
        metrics ${types.json} not null,
        body ${types.bytes} not null,
        unique (certname, digest)
      )`,
      'create index reports_by_time on reports (received_at)',
    ],
  },
];

export interface OldReport {
  readonly id: number;
  readonly report: Report;
  readonly receivedAt: Date;
}

const decompress = promisify(gunzip);

/** Reports in the order of arrival, those behind `after`. */
export async function readOldReports(
  database: Database,
  after: number,
  limit: number,
): Promise<readonly OldReport[]> {
  const rows = await database.read(
    sql`select id, certname, received_at, body from reports where id > ${after} order by id limit ${limit}`,
  );
  return await Promise.all(
    rows.map(async (row) => {
      const body = row['body'];
      if (!(body instanceof Uint8Array)) throw new TypeError('report without a body');
      const sent: unknown = JSON.parse((await decompress(body)).toString('utf8'));
      const report = decodeReport(sent, String(row['certname']));
      return { id: Number(row['id']), report, receivedAt: decodeTimestamp(row['received_at']) };
    }),
  );
}
