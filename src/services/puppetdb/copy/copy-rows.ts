/** Copies the rows of one table, some at a time. */

import { jsonbText } from '../../../lib/jsonb-text.ts';
import { parseExact } from '../../../lib/raw-json.ts';
import {
  type DirectDatabase,
  fixedSql,
  type Row,
  type RowColumn,
  type SqlValue,
  type Statement,
  sql,
} from '../../../platform/storage/index.ts';
import { numbersOfDay } from '../report-partitions.ts';
import { ensureReportDay } from '../store/report-days.ts';
import type { CopiedKind, CopiedTable } from './copied-tables.ts';

/** What one transaction writes at most. */
const batchRows = 1000;
const batchBytes = 1024 * 1024;

export interface CopyEnds {
  readonly from: DirectDatabase;
  readonly to: DirectDatabase;
}

/** Goes on where an earlier attempt ended. @param onRows - is told how many rows were copied */
export async function copyRows(
  ends: CopyEnds,
  table: CopiedTable,
  onRows: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let batch: Row[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    await writeBatch(ends.to, table, batch);
    onRows(batch.length);
    [batch, bytes] = [[], 0];
  };
  for await (const rows of ends.from.stream(await selection(ends, table))) {
    signal.throwIfAborted();
    for (const row of rows) {
      batch.push(row);
      bytes += sizeOf(row);
      if (batch.length >= batchRows || bytes >= batchBytes) await flush();
    }
  }
  await flush();
}

async function selection({ to }: CopyEnds, table: CopiedTable): Promise<Statement> {
  const { name, columns, key, reportColumn } = table;
  const selected = Object.keys(columns).map((column) => `t.${column}`);
  if (reportColumn !== undefined) return reportSelection(to, table, selected);
  const order = key.map((column) => `t.${column}`).join(', ');
  const [last] = await to.read(
    fixedSql(
      `select ${key.join(', ')} from ${name} order by ${key.map((each) => `${each} desc`).join(', ')} limit 1`,
    ),
  );
  const text = fixedSql(`select ${selected.join(', ')} from ${name} t`);
  const sorted = fixedSql(` order by ${order}`);
  if (last === undefined) return sql`${text}${sorted}`;
  const values = key.map((column) => sql`${last[column] as SqlValue}`);
  const bound = values.reduce((before, value) => sql`${before}, ${value}`);
  return sql`${text} where (${fixedSql(order)}) > (${bound})${sorted}`;
}

/** By the day of the report, which is a part of its number on PostgreSQL: their numbers are in another order there. */
async function reportSelection(
  to: DirectDatabase,
  { name, key, reportColumn }: CopiedTable,
  selected: readonly string[],
): Promise<Statement> {
  const isReport = name === 'pdb_reports';
  const [last] = await to.read(
    fixedSql(
      isReport
        ? 'select max(producer_timestamp) as last from pdb_reports'
        : `select max(producer_timestamp) as last from pdb_reports r
            where exists (select 1 from ${name} t where t.report_id = r.id)`,
    ),
  );
  const after = last?.['last'] ?? '';
  const source = isReport ? 'pdb_reports t' : `${name} t join pdb_reports r on r.id = t.${reportColumn}`;
  const time = `${isReport ? 't' : 'r'}.producer_timestamp`;
  const order = [time, ...key.map((column) => `t.${column}`)].join(', ');
  return sql`${fixedSql(`select ${selected.join(', ')}, ${time} as report_time from ${source} where ${time} >= `)}${String(after)}${fixedSql(` order by ${order}`)}`;
}

async function writeBatch(to: DirectDatabase, table: CopiedTable, rows: readonly Row[]): Promise<void> {
  const { name, columns, reportColumn } = table;
  const kinds = Object.entries(columns);
  await to.transaction(async (transaction) => {
    const days = new Map<string, number>();
    const values: unknown[][] = [];
    for (const row of rows) {
      const encoded = kinds.map(([column, kind]) => encode(kind, row[column]));
      if (reportColumn !== undefined && transaction.dialect.name === 'postgresql') {
        const time = String(row['report_time']);
        const base = days.get(time) ?? (await ensureReportDay(transaction, time));
        days.set(time, base);
        const place = kinds.findIndex(([column]) => column === reportColumn);
        encoded[place] = base + (Number(encoded[place]) % numbersOfDay);
      }
      values.push(encoded);
    }
    if (Object.values(columns).includes('bytes')) {
      for (const [index, row] of rows.entries())
        await transaction.run(insertOne(table, row, values[index] ?? []));
      return;
    }
    const { dialect } = transaction;
    const sent = dialect.rows(
      JSON.stringify(values),
      kinds.map(([, kind]) => rowKind(kind)),
    );
    const casts = kinds.map(([, kind], index) => {
      return kind === 'document' && dialect.name === 'postgresql' ? `sent.v${index}::json` : `sent.v${index}`;
    });
    const isCounted = name === 'pdb_nodes' && dialect.name === 'postgresql';
    await transaction.run(
      sql`${fixedSql(`insert into ${name} (${kinds.map(([column]) => column).join(', ')})${isCounted ? ' overriding system value' : ''}
        select ${casts.join(', ')} from `)}${sent} sent where true on conflict do nothing`,
    );
  });
}

/** Bytes have no form in JSON. */
function insertOne({ name, columns }: CopiedTable, row: Row, encoded: readonly unknown[]): Statement {
  const kinds = Object.entries(columns);
  const values = kinds.map(([column, kind], index) => {
    return sql`${(kind === 'bytes' ? row[column] : encoded[index]) as SqlValue}`;
  });
  const bound = values.reduce((before, value) => sql`${before}, ${value}`);
  return sql`${fixedSql(`insert into ${name} (${kinds.map(([column]) => column).join(', ')})`)} values (${bound})
    on conflict do nothing`;
}

function rowKind(kind: CopiedKind): RowColumn {
  return kind === 'document' || kind === 'bytes' ? 'text' : kind;
}

/** JSON is written in one form, which SQLite compares as text. */
function encode(kind: CopiedKind, value: unknown): unknown {
  if (value === null || value === undefined || kind === 'bytes') return null;
  if (kind === 'boolean') return value === true || value === 1;
  return kind === 'json' ? jsonbText(parseExact(String(value))) : value;
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return size;
}
