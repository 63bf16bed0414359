/**
 * Reports with their documents and events, a table for each day, on PostgreSQL: what is over goes with its table.
 *
 * The number of a report begins with its day, so that the number alone says where a report and all that belongs to it are.
 */

/** How far the numbers of two days are apart: more than all reports that there will ever be. */
export const numbersOfDay = 2 ** 36;

/** The tables, in the order in which a report is written, and the column that holds its number. */
export const partitionedTables = [
  ['pdb_reports', 'id'],
  ['pdb_report_documents', 'report_id'],
  ['pdb_events', 'report_id'],
] as const;

/** Of reports without a day of their own, from before days were separate. */
const undated = 'undated';

/** @param day - of the producer's time, counted from 1970 */
export function partitionName(table: string, day: number): string {
  return `${table}_d${day}`;
}

const indexes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pdb_reports: {
    pdb_reports_of_node: '(node_id, end_time)',
    pdb_reports_by_time: '(producer_timestamp)',
  },
  pdb_report_documents: {},
  pdb_events: {
    pdb_events_of_report: '(report_id, status)',
    pdb_events_by_time: '(timestamp)',
    pdb_events_of_resource: '(resource_type, resource_title)',
  },
};

/** For a migration: what is there stays where it is, and becomes the first part. Frozen. */
export const reportPartitions: readonly string[] = [
  'create sequence pdb_report_ids',
  "select setval('pdb_report_ids', coalesce(max(id), 0) + 1) from pdb_reports",
  'alter table pdb_reports alter column id drop identity',
  ...partitionedTables.flatMap(([table, column]) => partitioned(table, column)),
];

function partitioned(table: string, column: string): readonly string[] {
  const first = `${table}_${undated}`;
  const own = Object.entries(indexes[table] ?? {});
  const key = table === 'pdb_events' ? '(report_id, position)' : `(${column})`;
  return [
    `alter table ${table} rename to ${first}`,
    ...[`${table}_pkey`, ...own.map(([name]) => name)].map(
      (name) => `alter index ${name} rename to ${name.replace(table, first)}`,
    ),
    `create table ${table} (like ${first} including defaults) partition by range (${column})`,
    `alter table ${table} add primary key ${key}`,
    `alter table ${table} attach partition ${first} for values from (minvalue) to (${numbersOfDay})`,
    ...own.map(([name, columns]) => `create index ${name} on ${table} ${columns}`),
  ];
}
