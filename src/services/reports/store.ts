/** Reports: what there is to search in columns, the rest as it was sent, compressed. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type Database,
  decodeTimestamp,
  encodeTimestamp,
  type Migration,
  type Row,
  sql,
} from '../../platform/storage/index.ts';
import type { ReportSink } from './termini.ts';
import { decodeReport, type Metrics, type Report } from './wire.ts';

export const reportMigrations: readonly Migration[] = [
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

/** A report without what is long. */
export interface ReportSummary {
  readonly certname: string;
  readonly environment: string | undefined;
  readonly status: string | undefined;
  /** When the run began; when the report arrived, if it did not say. */
  readonly startedAt: Date;
  readonly receivedAt: Date;
  readonly puppetVersion: string | undefined;
  readonly configurationVersion: string | undefined;
  readonly transactionUuid: string | undefined;
  readonly catalogUuid: string | undefined;
  readonly codeId: string | undefined;
  readonly isNoop: boolean;
  readonly isNoopPending: boolean;
  readonly isCorrective: boolean;
  readonly metrics: Metrics;
}

export interface StoredReport extends ReportSummary {
  readonly logs: Report['logs'];
  readonly resourceStatuses: Report['resourceStatuses'];
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export class ReportStore implements ReportSink {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Keeps a report; one that is there already (an agent that did not hear the answer) changes nothing. */
  async save(report: Report, body: string): Promise<void> {
    const receivedAt = this.#now();
    const digest = createHash('sha256').update(body).digest('hex');
    const packed = await compress(body);
    await this.#database.write([
      sql`insert into reports (certname, digest, environment, status, started_at, received_at, puppet_version,
          configuration_version, transaction_uuid, catalog_uuid, code_id, is_noop, is_noop_pending, is_corrective,
          metrics, body)
        values (${report.certname}, ${digest}, ${report.environment ?? null}, ${report.status ?? null},
          ${encodeTimestamp(report.startedAt ?? receivedAt)}, ${encodeTimestamp(receivedAt)},
          ${report.puppetVersion ?? null}, ${report.configurationVersion ?? null},
          ${report.transactionUuid ?? null}, ${report.catalogUuid ?? null}, ${report.codeId ?? null},
          ${report.isNoop}, ${report.isNoopPending}, ${report.isCorrective},
          ${JSON.stringify(report.metrics)}, ${packed})
        on conflict (certname, digest) do nothing`,
    ]);
  }

  /** The report of a node that arrived last. */
  async latestReport(certname: string): Promise<StoredReport | undefined> {
    const [row] = await this.#database.read(
      sql`select certname, environment, status, started_at, received_at, puppet_version, configuration_version,
          transaction_uuid, catalog_uuid, code_id, is_noop, is_noop_pending, is_corrective, metrics, body
        from reports where certname = ${certname} order by id desc limit 1`,
    );
    return row === undefined ? undefined : await decodeStored(row);
  }

  /** The reports of a node, the last to arrive first. */
  async reports(certname: string, limit: number): Promise<readonly ReportSummary[]> {
    const rows = await this.#database.read(
      sql`select certname, environment, status, started_at, received_at, puppet_version, configuration_version,
          transaction_uuid, catalog_uuid, code_id, is_noop, is_noop_pending, is_corrective, metrics
        from reports where certname = ${certname} order by id desc limit ${limit}`,
    );
    return rows.map(decodeSummary);
  }

  /** Every node that ever reported, with its last report; sorted by certname. */
  async nodes(): Promise<readonly ReportSummary[]> {
    const rows = await this.#database.read(
      sql`select certname, environment, status, started_at, received_at, puppet_version, configuration_version,
          transaction_uuid, catalog_uuid, code_id, is_noop, is_noop_pending, is_corrective, metrics
        from reports where id in (select max(id) from reports group by certname) order by certname`,
    );
    return rows.map(decodeSummary);
  }

  /** @returns how many reports that arrived before the time were deleted */
  async deleteBefore(time: Date): Promise<number> {
    const [result] = await this.#database.write([
      sql`delete from reports where received_at < ${encodeTimestamp(time)}`,
    ]);
    return result?.changes ?? 0;
  }
}

async function decodeStored(row: Row): Promise<StoredReport> {
  const summary = decodeSummary(row);
  const body = row['body'];
  if (!(body instanceof Uint8Array)) throw new TypeError('report without a body');
  const parsed: unknown = JSON.parse((await decompress(body)).toString('utf8'));
  const { logs, resourceStatuses } = decodeReport(parsed, summary.certname);
  return { ...summary, logs, resourceStatuses };
}

function decodeSummary(row: Row): ReportSummary {
  return {
    certname: String(row['certname']),
    environment: optional(row['environment']),
    status: optional(row['status']),
    startedAt: decodeTimestamp(row['started_at']),
    receivedAt: decodeTimestamp(row['received_at']),
    puppetVersion: optional(row['puppet_version']),
    configurationVersion: optional(row['configuration_version']),
    transactionUuid: optional(row['transaction_uuid']),
    catalogUuid: optional(row['catalog_uuid']),
    codeId: optional(row['code_id']),
    isNoop: Boolean(row['is_noop']),
    isNoopPending: Boolean(row['is_noop_pending']),
    isCorrective: Boolean(row['is_corrective']),
    metrics: JSON.parse(String(row['metrics'])),
  };
}

function optional(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
