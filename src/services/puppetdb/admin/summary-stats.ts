/** Statistics of the database, for its administrators: `/pdb/admin/v1/summary-stats`. */

import {
  type DirectDatabase,
  fixedSql,
  type Row,
  type Statement,
  sql,
} from '../../../platform/storage/index.ts';
import { raw } from '../query/fragment.ts';
import { queryDialectOf } from '../query/query-dialect.ts';

const steps = Array.from({ length: 21 }, (_, index) => index / 20);

/** @returns the answer's JSON, as a value */
export async function summaryStats(database: DirectDatabase, version: string): Promise<unknown> {
  const size = (column: string): Statement =>
    fixedSql(`${database.dialect.name === 'sqlite' ? 'octet_length' : 'pg_column_size'}(${column})`);
  const read = (statement: Statement): Promise<readonly Row[]> => database.read(statement);
  const quantiles = async (counts: Statement): Promise<unknown> => [
    { quantiles: quantilesOf((await read(counts)).map(({ c }) => Number(c))) },
  ];
  return {
    version,
    node_activity: (
      await read(sql`select count(*) as count, expired is null and deactivated is null as active
        from pdb_nodes group by 2`)
    ).map(({ count, active }) => ({ count, active: active === true || active === 1 })),
    fact_path_counts_by_depth: await read(pathDepths(database)),
    report_metric_size_dist: await quantiles(
      sql`select ${size('metrics')} as c from pdb_report_documents where metrics is not null`,
    ),
    report_log_size_dist: await quantiles(
      sql`select ${size('logs')} as c from pdb_report_documents where logs is not null`,
    ),
    num_resources_per_node: await quantiles(sql`select count(*) as c from pdb_resources group by node_id`),
    num_resources_per_file: await quantiles(
      sql`select count(*) as c from pdb_resources where file is not null group by file`,
    ),
    file_resources_per_catalog: await quantiles(
      sql`select count(*) as c from pdb_resources where type = 'File' group by node_id`,
    ),
    file_resources_per_catalog_with_source: await quantiles(
      sql`select count(*) as c from pdb_resources r join pdb_parameters p on p.resource = r.resource
        where r.type = 'File' and p.parameters ->> 'source' is not null group by r.node_id`,
    ),
    num_distinct_edges_source_target: await read(distinctEdges(database)),
    ...(await databaseStats(database)),
  };
}

function pathDepths(database: DirectDatabase): Statement {
  const { source, path, type, depth } = queryDialectOf(database).entities.leaves('f.name', 'f.value');
  return sql`select depth, count(*) as count from
    (select distinct ${raw(path)} as path, ${raw(type)} as type, ${raw(depth)} as depth
      from pdb_facts f cross join ${raw(source)}) paths group by depth order by depth`;
}

function distinctEdges(database: DirectDatabase): Statement {
  const edges = queryDialectOf(database).entities.elements('es.edges', 'edge');
  const ends = ['source_type', 'source_title', 'target_type', 'target_title'];
  const columns = ends.map((name) => `edge.value ->> '${name}' as ${name}`);
  return sql`select count(*) as count from
    (select distinct ${raw(columns.join(', '))} from pdb_edge_sets es cross join ${raw(edges)}) ends`;
}

/** As PostgreSQL's `percentile_cont`: between the two nearest. */
function quantilesOf(values: readonly number[]): readonly number[] | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return steps.map((step) => {
    const place = step * (sorted.length - 1);
    const low = sorted[Math.floor(place)] ?? 0;
    const high = sorted[Math.ceil(place)] ?? low;
    return low + (high - low) * (place - Math.floor(place));
  });
}

/** The database's own figures; SQLite counts no uses. */
async function databaseStats(database: DirectDatabase): Promise<Readonly<Record<string, unknown>>> {
  if (database.dialect.name === 'sqlite') {
    const tables = await database.read(
      sql`select name as relname from sqlite_schema where type = 'table' and name like 'pdb~_%' escape '~'`,
    );
    const indexes = await database.read(
      sql`select tbl_name as relname, name as indexrelname from sqlite_schema
        where type = 'index' and tbl_name like 'pdb~_%' escape '~'`,
    );
    const usage = await database.read(
      sql`select page_count * page_size as bytes, page_size from pragma_page_count, pragma_page_size`,
    );
    return { table_usage: tables, index_usage: indexes, database_usage: usage };
  }
  return {
    table_usage: await database.read(sql`select * from pg_stat_user_tables`),
    index_usage: await database.read(sql`select * from pg_stat_user_indexes`),
    database_usage: await database.read(
      sql`select now() as current_time, * from pg_stat_database where datname = current_database()`,
    ),
  };
}
