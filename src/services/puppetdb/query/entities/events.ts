import type { Entity } from '../entity.ts';
import { eventValueInOrder } from '../map-order.ts';
import { weighedEvents } from '../weighed-events.ts';
import { isLatestReport } from './latest-reports.ts';

const serialized = {
  kind: 'multi',
  isComparable: false,
  isSerialized: true,
  inOrder: eventValueInOrder,
} as const;

const source = 'pdb_events ev join pdb_reports r on r.id = ev.report_id join pdb_nodes n on n.id = r.node_id';

export function events(): Entity {
  return {
    name: 'events',
    source,
    weighed(conditions, columns) {
      const weighed = weighedEvents({ source, conditions, columns });
      return weighed && { source: weighed, weight: 'ev.weight' };
    },
    nodeAlias: 'n',
    isOfNode: true,
    narrowedBy: 'latest_report?',
    relations: {
      reports: { local: ['report'], foreign: ['hash'] },
      environments: { local: ['environment'], foreign: ['name'] },
    },
    columns: [
      { name: 'message', kind: 'text', sql: 'ev.message' },
      { name: 'old_value', sql: 'ev.old_value', ...serialized },
      { name: 'report_receive_time', kind: 'timestamp', sql: 'r.receive_time' },
      { name: 'corrective_change', kind: 'boolean', sql: 'ev.corrective_change' },
      { name: 'containment_path', kind: 'list', sql: 'ev.containment_path' },
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'timestamp', kind: 'timestamp', sql: 'ev.timestamp' },
      { name: 'run_end_time', kind: 'timestamp', sql: 'r.end_time' },
      { name: 'name', kind: 'text', sql: 'ev.name' },
      { name: 'configuration_version', kind: 'text', sql: 'r.configuration_version' },
      { name: 'new_value', sql: 'ev.new_value', ...serialized },
      { name: 'resource_title', kind: 'text', sql: 'ev.resource_title' },
      { name: 'status', kind: 'text', sql: 'ev.status' },
      { name: 'property', kind: 'text', sql: 'ev.property' },
      { name: 'resource_type', kind: 'text', sql: 'ev.resource_type' },
      { name: 'line', kind: 'integer', sql: 'ev.line' },
      { name: 'environment', kind: 'text', sql: 'r.environment' },
      { name: 'containing_class', kind: 'text', sql: 'ev.containing_class' },
      { name: 'run_start_time', kind: 'timestamp', sql: 'r.start_time' },
      { name: 'latest_report?', kind: 'flag', sql: isLatestReport, isReturned: false },
      { name: 'file', kind: 'text', sql: 'ev.file' },
      { name: 'report', kind: 'text', sql: 'r.hash' },
    ],
  };
}
