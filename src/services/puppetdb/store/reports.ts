/** Reports and what happened in them. */

import { jsonbText } from '../../../lib/jsonb-text.ts';
import { type Statement, sql, type Transaction } from '../../../platform/storage/index.ts';
import { reportHash } from '../commands/identity.ts';
import type { SentReport } from '../commands/sent-report.ts';
import type { Report, ReportResource } from '../commands/wire.ts';
import { type EventSets, type HappenedEvent, storeEventSets } from './event-sets.ts';
import { ensureOrigin, touchNode } from './nodes.ts';
import { newReportId } from './report-days.ts';
import { type RowPiece, rowPieces } from './row-pieces.ts';

/** A report that is there already is kept as it is. */
export async function storeReport(
  transaction: Transaction,
  { report, metrics, logs }: SentReport,
  received: string,
): Promise<void> {
  const { certname, producer_timestamp: producedAt } = report;
  const nodeId = await touchNode(transaction, certname, producedAt);
  await ensureOrigin(transaction, report);
  const rows = eventRows(report);
  const sets = await storeEventSets(transaction, certname, rows.map(happened));
  const newId = await newReportId(transaction, producedAt);
  const { rows: made } = await transaction.run(
    insertReport({ newId, nodeId, report, received, events: rows, sets }),
  );
  const id = made[0]?.['id'];
  if (id === undefined) return;
  const reportId = Number(id);
  await transaction.run(
    sql`insert into pdb_report_documents (report_id, metrics, logs)
      values (${reportId}, ${document(transaction, metrics)}, ${document(transaction, logs)})`,
  );
  for (const piece of rowPieces(rows)) await transaction.run(insertEvents(transaction, reportId, piece));
  if (report.type === 'agent') await transaction.run(noteLatest(nodeId, reportId, producedAt));
}

interface NewReport {
  readonly newId: number | null;
  readonly nodeId: number;
  readonly report: Report;
  readonly received: string;
  readonly events: readonly EventRow[];
  readonly sets: EventSets;
}

/** What happened how often is counted once: dashboards ask for it all the time. */
function insertReport({ newId, nodeId, report, received, events, sets }: NewReport): Statement {
  const count = (status: string): number => events.filter(([each]) => each === status).length;
  return sql`insert into pdb_reports (id, hash, node_id, environment, producer, status, noop, noop_pending, corrective_change,
      puppet_version, report_format, configuration_version, start_time, end_time,
      producer_timestamp, receive_time, transaction_uuid, catalog_uuid, code_id, job_id,
      cached_catalog_status, type, failures, skips, successes, noops, event_set, own_event_set)
    values (${newId}, ${reportHash(report)}, ${nodeId}, ${report.environment}, ${report.producer}, ${report.status}, ${report.noop},
      ${report.noop_pending}, ${correctiveChange(report)}, ${report.puppet_version}, ${report.report_format},
      ${report.configuration_version}, ${report.start_time}, ${report.end_time},
      ${report.producer_timestamp}, ${received}, ${report.transaction_uuid}, ${report.catalog_uuid},
      ${report.code_id}, ${report.job_id}, ${report.cached_catalog_status}, ${report.type},
      ${count('failure')}, ${count('skipped')}, ${count('success')}, ${count('noop')}, ${sets.common}, ${sets.own})
    on conflict do nothing returning id`;
}

/** PuppetDB has no value for what corrects nothing, and outside of Puppet Enterprise for nothing at all. */
function correctiveChange({
  corrective_change: isCorrective,
}: Pick<Report, 'corrective_change'>): true | null {
  return isCorrective === true ? true : null;
}

/** What was not looked at when it arrived is checked by the database. */
function document({ dialect }: Transaction, json: Uint8Array | null): Statement | null {
  return json === null ? null : dialect.document(json);
}

const eventColumns = [
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
  'json',
  'json',
  'text',
  'text',
  'integer',
  'json',
  'text',
  'boolean',
] as const;

function insertEvents({ dialect }: Transaction, reportId: number, { start, json }: RowPiece): Statement {
  return sql`insert into pdb_events (report_id, position, status, timestamp, resource_type, resource_title,
      property, name, new_value, old_value, message, file, line, containment_path, containing_class,
      corrective_change)
    select cast(${reportId} as bigint), cast(${start} as bigint) + sent.position, sent.v0, sent.v1, sent.v2, sent.v3, sent.v4,
      sent.v5, sent.v6, sent.v7, sent.v8, sent.v9, sent.v10, sent.v11, sent.v12, sent.v13
    from ${dialect.rows(json, eventColumns)} sent`;
}

function noteLatest(nodeId: number, reportId: number, producedAt: string): Statement {
  return sql`update pdb_nodes set latest_report_timestamp = ${producedAt}, latest_report_id = ${reportId}
    where id = ${nodeId} and (latest_report_timestamp is null or latest_report_timestamp <= ${producedAt})`;
}

type Place = Pick<ReportResource, 'resource_type' | 'resource_title' | 'file' | 'line' | 'containment_path'>;
type Event = ReportResource['events'][number];

/** In the order of `eventColumns`. */
type EventRow = readonly [
  status: string,
  timestamp: string,
  type: string,
  title: string,
  property: string | null,
  name: string | null,
  newValue: string,
  oldValue: string,
  message: string | null,
  file: string | null,
  line: number | null,
  containmentPath: string | null,
  containingClass: string | null,
  isCorrective: true | null,
];

function happened(row: EventRow): HappenedEvent {
  const [status, , type, title] = row;
  return { status, type, title, containingClass: row[12] };
}

function eventRows(report: Report): readonly EventRow[] {
  const nested = report.resources.flatMap((resource) => {
    if (resource.skipped) return [eventRow(resource, skipped(resource.timestamp))];
    return distinctRows(resource.events.map((event) => eventRow(resource, event)));
  });
  return [...nested, ...report.resource_events.map((event) => eventRow(event, event))];
}

/** What is said twice of a resource has happened once. */
function distinctRows(rows: readonly EventRow[]): readonly EventRow[] {
  if (rows.length < 2) return rows;
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** A skipped resource has one event, whatever the agent says of it: that it was skipped. */
function skipped(timestamp: string): Event {
  const nothing = { property: null, name: null, new_value: null, old_value: null, message: null };
  return { status: 'skipped', timestamp, ...nothing, corrective_change: null };
}

function eventRow(place: Place, event: Event): EventRow {
  const { containment_path: path } = place;
  return [
    event.status,
    event.timestamp,
    place.resource_type,
    place.resource_title,
    event.property,
    event.name,
    jsonOf(event.new_value),
    jsonOf(event.old_value),
    event.message,
    place.file,
    place.line,
    path === null ? null : JSON.stringify(path),
    path === null ? null : containingClass(path),
    correctiveChange(event),
  ];
}

/** What is not there is null in JSON, and no value that is missing. */
function jsonOf(value: unknown): string {
  return jsonbText(value ?? null);
}

/** The innermost class: the only names in the path without brackets. */
function containingClass(path: readonly string[]): string | null {
  return path.findLast((element) => element !== '' && !element.includes('[')) ?? null;
}
