/** Reports and what happened in them. */

import { type Database, type Statement, sql } from '../../../platform/storage/index.ts';
import { reportHash } from '../commands/identity.ts';
import type { Report, ReportResource } from '../commands/wire.ts';
import { activateNode, ensureEnvironment, ensureNode, ensureProducer } from './nodes.ts';

/** A report that is there already is kept as it is. */
export async function storeReport(database: Database, report: Report, received: string): Promise<void> {
  const { certname, producer_timestamp: producedAt } = report;
  const hash = reportHash(report);
  const rows = eventRows(report);
  await database.write([
    ensureNode(certname),
    activateNode(certname, producedAt),
    ...ensureEnvironment(report.environment),
    ...ensureProducer(report.producer),
    insertReport(report, hash, received),
    ...(rows.length === 0 ? [] : [insertEvents(hash, JSON.stringify(rows))]),
    ...(report.type === 'agent' ? [noteLatest(certname, hash, producedAt)] : []),
  ]);
}

function insertReport(report: Report, hash: string, received: string): Statement {
  const metrics = report.metrics === null ? null : JSON.stringify(report.metrics);
  const logs = report.logs === null ? null : JSON.stringify(report.logs);
  return sql`insert into pdb_reports (hash, node_id, environment, producer, status, noop, noop_pending,
      corrective_change, puppet_version, report_format, configuration_version, start_time, end_time,
      producer_timestamp, receive_time, transaction_uuid, catalog_uuid, code_id, job_id,
      cached_catalog_status, type, metrics, logs)
    select ${hash}, id, ${report.environment}, ${report.producer}, ${report.status}, ${report.noop},
      ${report.noop_pending}, null, ${report.puppet_version}, ${report.report_format},
      ${report.configuration_version}, ${report.start_time}, ${report.end_time},
      ${report.producer_timestamp}, ${received}, ${report.transaction_uuid}, ${report.catalog_uuid},
      ${report.code_id}, ${report.job_id}, ${report.cached_catalog_status}, ${report.type}, ${metrics}, ${logs}
    from pdb_nodes where certname = ${report.certname} on conflict (hash) do nothing`;
}

function insertEvents(hash: string, rows: string): Statement {
  return sql`insert into pdb_events (report_id, position, status, timestamp, resource_type, resource_title,
      property, name, new_value, old_value, message, file, line, containment_path, containing_class)
    select r.id, row.key, row.value ->> 0, row.value ->> 1, row.value ->> 2, row.value ->> 3, row.value ->> 4,
      row.value ->> 5, row.value ->> 6, row.value ->> 7, row.value ->> 8, row.value ->> 9, row.value ->> 10,
      row.value ->> 11, row.value ->> 12
    from json_each(${rows}) row, pdb_reports r where r.hash = ${hash} on conflict do nothing`;
}

function noteLatest(certname: string, hash: string, producedAt: string): Statement {
  return sql`update pdb_nodes set latest_report_timestamp = ${producedAt},
      latest_report_id = (select id from pdb_reports where hash = ${hash})
    where certname = ${certname}
      and (latest_report_timestamp is null or latest_report_timestamp <= ${producedAt})`;
}

type Place = Pick<ReportResource, 'resource_type' | 'resource_title' | 'file' | 'line' | 'containment_path'>;
type Event = ReportResource['events'][number];

function eventRows(report: Report): readonly (readonly unknown[])[] {
  const nested = report.resources.flatMap((resource) => {
    if (resource.skipped) return [eventRow(resource, skipped(resource.timestamp))];
    return resource.events.map((event) => eventRow(resource, event));
  });
  return [...nested, ...report.resource_events.map((event) => eventRow(event, event))];
}

/** A skipped resource has one event, whatever the agent says of it: that it was skipped. */
function skipped(timestamp: string): Event {
  const nothing = { property: null, name: null, new_value: null, old_value: null, message: null };
  return { status: 'skipped', timestamp, ...nothing };
}

function eventRow(place: Place, event: Event): readonly unknown[] {
  const { containment_path: path } = place;
  return [
    event.status,
    event.timestamp,
    place.resource_type,
    place.resource_title,
    event.property,
    event.name,
    jsonOrNull(event.new_value),
    jsonOrNull(event.old_value),
    event.message,
    place.file,
    place.line,
    path === null ? null : JSON.stringify(path),
    path === null ? null : containingClass(path),
  ];
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The innermost class: the only names in the path without brackets. */
function containingClass(path: readonly string[]): string | null {
  return path.findLast((element) => element !== '' && !element.includes('[')) ?? null;
}
