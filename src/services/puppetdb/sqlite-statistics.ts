/**
 * What SQLite is told of the tables, so that its plans are those for a large fleet from the first day and never change.
 *
 * Each row is a table, an index (or nothing) and, as `sqlite_stat1` has it: the number of rows, then how many share the first
 * column, the first two, ... of the index. As of 2,000 nodes with 100 reports each. Measured on 2,000 nodes with 340,000 events:
 * failed events of latest reports 2 ms instead of 240.
 */
const statistics: readonly (readonly [table: string, index: string | undefined, numbers: string])[] = [
  ['pdb_nodes', 'sqlite_autoindex_pdb_nodes_1', '2000 1'],
  ['pdb_factsets', undefined, '2000'],
  ['pdb_facts', 'pdb_facts', '240000 1500 1'],
  ['pdb_facts', 'pdb_facts_of_node', '240000 120'],
  ['pdb_packages', 'pdb_packages', '1000000 500 1 1 1'],
  ['pdb_catalogs', undefined, '2000'],
  ['pdb_catalog_inputs', undefined, '2000'],
  ['pdb_resources', 'pdb_resources', '800000 400 15 1'],
  ['pdb_resources', 'pdb_resources_by_title', '800000 4000 200'],
  ['pdb_resources', 'pdb_resources_by_hash', '800000 40'],
  ['pdb_resources', 'pdb_resources_exported', '2000 100'],
  ['pdb_parameters', 'pdb_parameters', '20000 1'],
  ['pdb_edge_sets', 'pdb_edge_sets', '500 1'],
  ['pdb_reports', 'sqlite_autoindex_pdb_reports_1', '200000 1'],
  ['pdb_reports', 'pdb_reports_of_node', '200000 100 1'],
  ['pdb_reports', 'pdb_reports_by_time', '200000 2'],
  ['pdb_report_documents', undefined, '200000'],
  ['pdb_events', 'pdb_events', '4000000 20 1'],
  ['pdb_events', 'pdb_events_of_report', '4000000 20 8'],
  ['pdb_events', 'pdb_events_by_time', '4000000 20'],
  ['pdb_events', 'pdb_events_of_resource', '4000000 2000 200'],
];

/** For a migration: the table of statistics is made by looking at tables that are empty. */
export function statisticsStatements(): readonly string[] {
  const rows = statistics.map(([table, index, numbers]) => {
    return `('${table}', ${index === undefined ? 'null' : `'${index}'`}, '${numbers}')`;
  });
  return ['analyze', `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(', ')}`];
}

/**
 * For the migration that makes these indexes. Facts are told to be fewer of each name: read by name they come in order, and looking
 * each of them up by name and node takes four times as long.
 */
export const laterStatistics: readonly string[] = [
  "update sqlite_stat1 set stat = '240000 100 1' where idx = 'pdb_facts'",
  "delete from sqlite_stat1 where idx in ('pdb_events_of_report', 'pdb_reports_by_start', 'pdb_reports_by_end', 'pdb_events_counted')",
  `insert into sqlite_stat1 (tbl, idx, stat) values
    ('pdb_reports', 'pdb_reports_by_start', '200000 2'),
    ('pdb_reports', 'pdb_reports_by_end', '200000 2'),
    ('pdb_events', 'pdb_events_counted', '4000000 20 8 4 3')`,
];

export const eventSetStatistics: readonly string[] = [
  `insert into sqlite_stat1 (tbl, idx, stat) values
    ('pdb_event_sets', 'pdb_event_sets', '200000 100 1'),
    ('pdb_reports', 'pdb_reports_by_event_set', '200000 100'),
    ('pdb_reports', 'pdb_reports_by_own_event_set', '200000 10')`,
];

export const countedStatistics: readonly string[] = [
  "delete from sqlite_stat1 where idx in ('pdb_facts_without_shape', 'pdb_catalogs_by_resource_counts')",
  `insert into sqlite_stat1 (tbl, idx, stat) values
    ('pdb_fact_shapes', 'pdb_fact_shapes', '20000 100 10 1'),
    ('pdb_facts', 'pdb_facts_without_shape', '100 10'),
    ('pdb_resource_counts', 'pdb_resource_counts', '20000 40 1'),
    ('pdb_catalogs', 'pdb_catalogs_by_resource_counts', '2000 4')`,
];
