/** PuppetDB's tables. Times are fixed-width UTC text, JSON has its keys in jsonb's order on SQLite, too. */

import type { Dialect, Migration } from '../../platform/storage/index.ts';
import { jsonLeavesFunction } from './json-leaves.ts';
import { reportPartitions } from './report-partitions.ts';
import {
  countedStatistics,
  eventSetStatistics,
  laterStatistics,
  statisticsStatements,
} from './sqlite-statistics.ts';

export const puppetDbMigrations: readonly Migration[] = [
  {
    component: 'puppetdb',
    number: 1,
    name: 'keep facts, catalogs and reports of nodes',
    statements: (dialect) => [
      ...nodeTables(dialect),
      ...factTables(dialect),
      ...catalogTables(dialect),
      ...reportTables(dialect),
      ...eventTables(dialect),
      ...commandTables(dialect),
      ...(dialect.name === 'postgresql' ? [jsonLeavesFunction] : statisticsStatements()),
    ],
  },
  {
    component: 'puppetdb',
    number: 2,
    name: 'keep reports of each day apart',
    statements: (dialect) => (dialect.name === 'postgresql' ? reportPartitions : []),
  },
  {
    component: 'puppetdb',
    number: 3,
    name: 'know how many resources a catalog has',
    statements: ({ types }) => [
      `alter table pdb_catalogs add column resource_count ${types.integer} not null default 0`,
      `update pdb_catalogs set resource_count =
        (select count(*) from pdb_resources r where r.node_id = pdb_catalogs.node_id)`,
    ],
  },
  {
    component: 'puppetdb',
    number: 4,
    name: 'find reports by their times, count events without reading them',
    // On PostgreSQL each day gets its own by itself.
    statements: ({ name }) => [
      'create index pdb_reports_by_start on pdb_reports (start_time)',
      'create index pdb_reports_by_end on pdb_reports (end_time)',
      'create index pdb_events_counted on pdb_events (report_id, status, containing_class, resource_type)',
      'drop index pdb_events_of_report',
      ...(name === 'sqlite' ? laterStatistics : []),
    ],
  },
  {
    component: 'puppetdb',
    number: 5,
    name: 'keep keys in the order in which they are answered',
    statements: (dialect) => (dialect.name === 'sqlite' ? orderedKeys : []),
  },
  {
    component: 'puppetdb',
    number: 6,
    name: 'keep once what happened in many reports',
    statements: (dialect) => [
      ...eventSetTables(dialect),
      ...(dialect.name === 'sqlite' ? eventSetStatistics : []),
    ],
  },
  {
    component: 'puppetdb',
    number: 7,
    name: 'keep once which paths facts have, and which types of resources catalogs have',
    statements: (dialect) => [
      ...factShapeTables(dialect),
      ...resourceCountTables(dialect),
      ...(dialect.name === 'sqlite' ? countedStatistics : []),
    ],
  },
];

/** Numbers and texts have no keys. */
const orderedKeys: readonly string[] = [
  ['pdb_facts', 'value'],
  ['pdb_parameters', 'parameters'],
  ['pdb_events', 'new_value'],
  ['pdb_events', 'old_value'],
].map(
  ([table, column]) =>
    `update ${table} set ${column} = in_jsonb_order(${column}) where substr(${column}, 1, 1) in ('{', '[')`,
);

function nodeTables({ types }: Dialect): readonly string[] {
  const { identity, text, timestamp, boolean, integer } = types;
  return [
    `create table pdb_nodes (
      id ${identity},
      certname ${text} not null unique,
      deactivated ${timestamp},
      expired ${timestamp},
      expires_facts ${boolean} not null,
      expires_facts_updated ${timestamp},
      latest_report_id ${integer},
      latest_report_timestamp ${timestamp}
    )`,
    `create table pdb_environments (name ${text} not null primary key)`,
    `create table pdb_producers (name ${text} not null primary key)`,
  ];
}

/** One row for each top-level fact: queries by name never read what they do not ask for. */
function factTables({ types, clustered }: Dialect): readonly string[] {
  const { text, timestamp, integer, json } = types;
  return [
    `create table pdb_factsets (
      node_id ${integer} not null primary key,
      environment ${text},
      producer ${text},
      producer_timestamp ${timestamp} not null,
      timestamp ${timestamp} not null,
      hash ${text} not null
    )`,
    `create table pdb_facts (
      name ${text} not null,
      node_id ${integer} not null,
      value ${json} not null,
      primary key (name, node_id)
    )${clustered}`,
    'create index pdb_facts_of_node on pdb_facts (node_id)',
    `create table pdb_packages (
      node_id ${integer} not null,
      package_name ${text} not null,
      version ${text} not null,
      provider ${text} not null,
      primary key (node_id, package_name, version, provider)
    )${clustered}`,
  ];
}

/**
 * Parameters and edges are kept once for all nodes that have the same. `content` is a digest of the resources and edges as
 * they were sent: what is sent again need not be read.
 */
function catalogTables({ types, clustered, name }: Dialect): readonly string[] {
  const { text, timestamp, integer, boolean, json } = types;
  return [
    `create table pdb_catalogs (
      node_id ${integer} not null primary key,
      environment ${text},
      producer ${text},
      producer_timestamp ${timestamp} not null,
      timestamp ${timestamp} not null,
      hash ${text} not null,
      version ${text} not null,
      transaction_uuid ${text},
      catalog_uuid ${text},
      code_id ${text},
      job_id ${text},
      edge_set ${text} not null,
      content ${text} not null
    )`,
    `create table pdb_resources (
      node_id ${integer} not null,
      type ${text} not null,
      title ${text} not null,
      resource ${text} not null,
      tags ${json} not null,
      exported ${boolean} not null,
      file ${text},
      line ${integer},
      primary key (node_id, type, title)
    )${clustered}`,
    'create index pdb_resources_by_title on pdb_resources (type, title)',
    'create index pdb_resources_by_hash on pdb_resources (resource)',
    `create index pdb_resources_exported on pdb_resources (type) where exported = ${name === 'sqlite' ? '1' : 'true'}`,
    `create table pdb_parameters (
      resource ${text} not null primary key,
      parameters ${json} not null
    )${clustered}`,
    `create table pdb_edge_sets (hash ${text} not null primary key, edges ${json} not null)${clustered}`,
    `create table pdb_catalog_inputs (
      node_id ${integer} not null primary key,
      catalog_uuid ${text} not null,
      producer_timestamp ${timestamp} not null,
      inputs ${json} not null
    )`,
  ];
}

/** What is large and seldom asked for is kept apart, so that looking through many reports reads little. */
function reportTables({ types }: Dialect): readonly string[] {
  const { identity, text, timestamp, integer, boolean, document } = types;
  return [
    `create table pdb_reports (
      id ${identity},
      hash ${text} not null unique,
      node_id ${integer} not null,
      environment ${text},
      producer ${text},
      status ${text},
      noop ${boolean},
      noop_pending ${boolean},
      corrective_change ${boolean},
      puppet_version ${text} not null,
      report_format ${integer} not null,
      configuration_version ${text} not null,
      start_time ${timestamp} not null,
      end_time ${timestamp} not null,
      producer_timestamp ${timestamp} not null,
      receive_time ${timestamp} not null,
      transaction_uuid ${text},
      catalog_uuid ${text},
      code_id ${text},
      job_id ${text},
      cached_catalog_status ${text},
      type ${text} not null,
      failures ${integer} not null,
      skips ${integer} not null,
      successes ${integer} not null,
      noops ${integer} not null
    )`,
    `create table pdb_report_documents (
      report_id ${integer} not null primary key,
      metrics ${document},
      logs ${document}
    )`,
    'create index pdb_reports_of_node on pdb_reports (node_id, end_time)',
    'create index pdb_reports_by_time on pdb_reports (producer_timestamp)',
  ];
}

function eventTables({ types, clustered }: Dialect): readonly string[] {
  const { text, timestamp, integer, boolean, json } = types;
  return [
    `create table pdb_events (
      report_id ${integer} not null,
      position ${integer} not null,
      status ${text} not null,
      timestamp ${timestamp} not null,
      resource_type ${text} not null,
      resource_title ${text} not null,
      property ${text},
      name ${text},
      new_value ${json},
      old_value ${json},
      message ${text},
      file ${text},
      line ${integer},
      containment_path ${json},
      containing_class ${text},
      corrective_change ${boolean},
      primary key (report_id, position)
    )${clustered}`,
    'create index pdb_events_of_report on pdb_events (report_id, status)',
    'create index pdb_events_by_time on pdb_events (timestamp)',
    'create index pdb_events_of_resource on pdb_events (resource_type, resource_title)',
  ];
}

/**
 * What happened in a report without when, how and why: to count events few rows are looked at where many reports say the same. What
 * mentions the name of its node is kept apart. The columns are null in reports of earlier releases, of which it is not known, and
 * empty where nothing happened.
 */
function eventSetTables({ types, clustered }: Dialect): readonly string[] {
  const { text, integer, boolean } = types;
  return [
    `create table pdb_event_sets (
      event_set ${text} not null,
      position ${integer} not null,
      status ${text} not null,
      resource_type ${text} not null,
      resource_title ${text} not null,
      containing_class ${text},
      repeats_class ${boolean} not null,
      events ${integer} not null,
      primary key (event_set, position)
    )${clustered}`,
    `alter table pdb_reports add column event_set ${text}`,
    `alter table pdb_reports add column own_event_set ${text}`,
    'create index pdb_reports_by_event_set on pdb_reports (event_set)',
    'create index pdb_reports_by_own_event_set on pdb_reports (own_event_set)',
  ];
}

/**
 * The paths within a fact's value, kept once for all nodes whose values have the same: to list them few rows are looked at. The
 * column is null in facts of earlier releases, whose values have to be looked at.
 */
function factShapeTables({ types, clustered }: Dialect): readonly string[] {
  const { text, integer } = types;
  return [
    `create table pdb_fact_shapes (
      name ${text} not null,
      shape ${text} not null,
      position ${integer} not null,
      path ${text} not null,
      type ${text} not null,
      depth ${integer} not null,
      primary key (name, shape, position)
    )${clustered}`,
    `alter table pdb_facts add column shape ${text}`,
    'create index pdb_facts_without_shape on pdb_facts (name) where shape is null',
  ];
}

/**
 * How many resources of which type a catalog has, kept once for all catalogs that have the same. They hold as long as the catalog's
 * content is the one that was counted: an earlier release, which counts nothing, may have replaced it.
 */
function resourceCountTables({ types, clustered }: Dialect): readonly string[] {
  const { text, integer } = types;
  return [
    `create table pdb_resource_counts (
      counts ${text} not null,
      type ${text} not null,
      resources ${integer} not null,
      primary key (counts, type)
    )${clustered}`,
    `alter table pdb_catalogs add column resource_counts ${text}`,
    `alter table pdb_catalogs add column counted_content ${text}`,
    'create index pdb_catalogs_by_resource_counts on pdb_catalogs (resource_counts)',
    `insert into pdb_resource_counts (counts, type, resources)
      select 'node ' || node_id, type, count(*) from pdb_resources group by node_id, type`,
    "update pdb_catalogs set resource_counts = 'node ' || node_id, counted_content = content",
  ];
}

function commandTables({ types }: Dialect): readonly string[] {
  const { text, timestamp, integer, bytes } = types;
  return [
    `create table pdb_dead_letters (
      id ${text} not null primary key,
      command ${text} not null,
      version ${integer} not null,
      certname ${text} not null,
      received ${timestamp} not null,
      reason ${text} not null,
      payload ${bytes} not null
    )`,
  ];
}
