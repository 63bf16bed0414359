import { inJsonbOrder } from '../../../../lib/jsonb-text.ts';
import type { EntityDialect, QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import { isLatestReport } from './latest-reports.ts';

/** The parts of a report as they are answered: `{"data":[...],"href":".../logs"}`. */
function part(name: string, data: string): string {
  return `'{"data":' || coalesce(${data}, 'null') || ',"href":"/pdb/query/v4/reports/' || r.hash || '/${name}"}'`;
}

function document({ jsonText }: EntityDialect, name: string): string {
  return `(select ${jsonText(`rd.${name}`)} from pdb_report_documents rd where rd.report_id = r.id)`;
}

/** Times within are written with the zone as an offset and without trailing zeros. */
const eventTime = "rtrim(rtrim(substr(ev.timestamp, 1, 23), '0'), '.') || '+00:00'";

function events({ quote, jsonText, list }: EntityDialect): string {
  const event = `'{"status":' || ${quote('ev.status')}
  || ',"timestamp":' || ${quote(eventTime)}
  || ',"resource_type":' || ${quote('ev.resource_type')}
  || ',"resource_title":' || ${quote('ev.resource_title')}
  || ',"property":' || ${quote('ev.property')}
  || ',"corrective_change":' || case when ev.corrective_change then 'true' else 'null' end
  || ',"new_value":' || coalesce(${jsonText('ev.new_value')}, 'null')
  || ',"old_value":' || coalesce(${jsonText('ev.old_value')}, 'null')
  || ',"message":' || ${quote('ev.message')}
  || ',"file":' || ${quote('ev.file')}
  || ',"line":' || ${quote('ev.line')}
  || ',"containment_path":' || coalesce(${jsonText('ev.containment_path')}, 'null')
  || ',"containing_class":' || ${quote('ev.containing_class')}
  || ',"name":' || ${quote('ev.name')} || '}'`;
  return `(select nullif('[' || ${list(event, 'ev.position')} || ']', '[]') from pdb_events ev where ev.report_id = r.id)`;
}

const internal = { isQueryable: false, isSortable: false } as const;
/** Kept as they were sent. The names of the parts, too, are in this order. */
const ordered = { ...internal, inOrder: inJsonbOrder } as const;

export function reports({ entities }: QueryDialect): Entity {
  return {
    name: 'reports',
    source: 'pdb_reports r join pdb_nodes n on n.id = r.node_id',
    nodeAlias: 'n',
    rowKey: 'r.id',
    isOfNode: true,
    relations: {
      environments: { local: ['environment'], foreign: ['name'] },
      producers: { local: ['producer'], foreign: ['name'] },
      events: { local: ['hash'], foreign: ['report'] },
    },
    default: { field: 'type', condition: "r.type = 'agent'" },
    columns: [
      { name: 'receive_time', kind: 'timestamp', sql: 'r.receive_time' },
      { name: 'corrective_change', kind: 'boolean', sql: 'r.corrective_change' },
      { name: 'code_id', kind: 'text', sql: 'r.code_id' },
      { name: 'noop', kind: 'boolean', sql: 'r.noop' },
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'puppet_version', kind: 'text', sql: 'r.puppet_version' },
      { name: 'hash', kind: 'text', sql: 'r.hash' },
      { name: 'cached_catalog_status', kind: 'text', sql: 'r.cached_catalog_status' },
      { name: 'transaction_uuid', kind: 'text', sql: 'r.transaction_uuid' },
      { name: 'configuration_version', kind: 'text', sql: 'r.configuration_version' },
      { name: 'status', kind: 'text', sql: 'r.status' },
      { name: 'job_id', kind: 'text', sql: 'r.job_id' },
      { name: 'producer', kind: 'text', sql: 'r.producer' },
      { name: 'catalog_uuid', kind: 'text', sql: 'r.catalog_uuid' },
      { name: 'logs', kind: 'json', sql: part('logs', document(entities, 'logs')), ...ordered },
      { name: 'noop_pending', kind: 'boolean', sql: 'r.noop_pending' },
      { name: 'end_time', kind: 'timestamp', sql: 'r.end_time' },
      { name: 'type', kind: 'text', sql: 'r.type' },
      { name: 'environment', kind: 'text', sql: 'r.environment' },
      { name: 'latest_report?', kind: 'flag', sql: isLatestReport, isReturned: false },
      { name: 'start_time', kind: 'timestamp', sql: 'r.start_time' },
      { name: 'resource_events', kind: 'json', sql: part('events', events(entities)), ...internal },
      { name: 'metrics', kind: 'json', sql: part('metrics', document(entities, 'metrics')), ...ordered },
      { name: 'producer_timestamp', kind: 'timestamp', sql: 'r.producer_timestamp' },
      { name: 'report_format', kind: 'integer', sql: 'r.report_format' },
    ],
  };
}
