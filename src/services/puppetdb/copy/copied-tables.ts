/** Everything that a database of PuppetDB's holds, in the order in which it is copied. */

/** `document`: JSON that is kept as it was written. */
export type CopiedKind = 'text' | 'integer' | 'boolean' | 'json' | 'document' | 'bytes';

export interface CopiedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, CopiedKind>>;
  /** Rows are copied in this order; the copy goes on behind the last that is there. */
  readonly key: readonly string[];
  /** The column with the number of a report, which is another one on PostgreSQL. */
  readonly reportColumn?: string;
}

const origin = { environment: 'text', producer: 'text', producer_timestamp: 'text' } as const;

export const copiedTables: readonly CopiedTable[] = [
  {
    name: 'pdb_nodes',
    key: ['id'],
    columns: {
      id: 'integer',
      certname: 'text',
      deactivated: 'text',
      expired: 'text',
      expires_facts: 'boolean',
      expires_facts_updated: 'text',
      latest_report_timestamp: 'text',
    },
  },
  { name: 'pdb_environments', key: ['name'], columns: { name: 'text' } },
  { name: 'pdb_producers', key: ['name'], columns: { name: 'text' } },
  {
    name: 'pdb_factsets',
    key: ['node_id'],
    columns: { node_id: 'integer', ...origin, timestamp: 'text', hash: 'text' },
  },
  {
    name: 'pdb_facts',
    key: ['name', 'node_id'],
    columns: { name: 'text', node_id: 'integer', value: 'json', shape: 'text' },
  },
  {
    name: 'pdb_fact_shapes',
    key: ['name', 'shape', 'position'],
    columns: {
      name: 'text',
      shape: 'text',
      position: 'integer',
      path: 'text',
      type: 'text',
      depth: 'integer',
    },
  },
  {
    name: 'pdb_resource_counts',
    key: ['counts', 'type'],
    columns: { counts: 'text', type: 'text', resources: 'integer' },
  },
  {
    name: 'pdb_packages',
    key: ['node_id', 'package_name', 'version', 'provider'],
    columns: { node_id: 'integer', package_name: 'text', version: 'text', provider: 'text' },
  },
  { name: 'pdb_parameters', key: ['resource'], columns: { resource: 'text', parameters: 'json' } },
  { name: 'pdb_edge_sets', key: ['hash'], columns: { hash: 'text', edges: 'json' } },
  {
    name: 'pdb_catalogs',
    key: ['node_id'],
    columns: {
      node_id: 'integer',
      ...origin,
      timestamp: 'text',
      hash: 'text',
      version: 'text',
      transaction_uuid: 'text',
      catalog_uuid: 'text',
      code_id: 'text',
      job_id: 'text',
      edge_set: 'text',
      content: 'text',
      resource_count: 'integer',
      resource_counts: 'text',
      counted_content: 'text',
    },
  },
  {
    name: 'pdb_resources',
    key: ['node_id', 'type', 'title'],
    columns: {
      node_id: 'integer',
      type: 'text',
      title: 'text',
      resource: 'text',
      tags: 'json',
      exported: 'boolean',
      file: 'text',
      line: 'integer',
    },
  },
  {
    name: 'pdb_catalog_inputs',
    key: ['node_id'],
    columns: { node_id: 'integer', catalog_uuid: 'text', producer_timestamp: 'text', inputs: 'json' },
  },
  {
    name: 'pdb_event_sets',
    key: ['event_set', 'position'],
    columns: {
      event_set: 'text',
      position: 'integer',
      status: 'text',
      resource_type: 'text',
      resource_title: 'text',
      containing_class: 'text',
      repeats_class: 'boolean',
      events: 'integer',
    },
  },
  {
    name: 'pdb_reports',
    key: ['id'],
    reportColumn: 'id',
    columns: {
      id: 'integer',
      hash: 'text',
      node_id: 'integer',
      ...origin,
      status: 'text',
      noop: 'boolean',
      noop_pending: 'boolean',
      corrective_change: 'boolean',
      puppet_version: 'text',
      report_format: 'integer',
      configuration_version: 'text',
      start_time: 'text',
      end_time: 'text',
      receive_time: 'text',
      transaction_uuid: 'text',
      catalog_uuid: 'text',
      code_id: 'text',
      job_id: 'text',
      cached_catalog_status: 'text',
      type: 'text',
      failures: 'integer',
      skips: 'integer',
      successes: 'integer',
      noops: 'integer',
      event_set: 'text',
      own_event_set: 'text',
    },
  },
  {
    name: 'pdb_report_documents',
    key: ['report_id'],
    reportColumn: 'report_id',
    columns: { report_id: 'integer', metrics: 'document', logs: 'document' },
  },
  {
    name: 'pdb_events',
    key: ['report_id', 'position'],
    reportColumn: 'report_id',
    columns: {
      report_id: 'integer',
      position: 'integer',
      status: 'text',
      timestamp: 'text',
      resource_type: 'text',
      resource_title: 'text',
      property: 'text',
      name: 'text',
      new_value: 'json',
      old_value: 'json',
      message: 'text',
      file: 'text',
      line: 'integer',
      containment_path: 'json',
      containing_class: 'text',
      corrective_change: 'boolean',
    },
  },
  {
    name: 'pdb_dead_letters',
    key: ['id'],
    columns: {
      id: 'text',
      command: 'text',
      version: 'integer',
      certname: 'text',
      received: 'text',
      reason: 'text',
      payload: 'bytes',
    },
  },
];
