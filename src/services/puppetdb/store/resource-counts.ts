/** How many resources a catalog has, in all and by type: dashboards ask, and must not count them one by one. */

import { sql, type Transaction } from '../../../platform/storage/index.ts';
import { compareText, identityHash } from '../canonical-json.ts';
import type { Catalog } from '../commands/wire.ts';

type CountedRow = readonly [type: string, resources: number];

/**
 * Stores the counts of a catalog that was just stored. Those who store it hold the shared rows.
 *
 * @param content - the name of what is counted
 */
export async function countResources(
  transaction: Transaction,
  id: number,
  content: string,
  { resources }: Catalog,
): Promise<void> {
  const rows = countedRows(resources);
  const counts = identityHash(JSON.stringify(rows));
  const [known] = await transaction.read(
    sql`select 1 from pdb_resource_counts where counts = ${counts} limit 1`,
  );
  if (known === undefined && rows.length > 0)
    await transaction.run(
      sql`insert into pdb_resource_counts (counts, type, resources)
        select ${counts}, sent.v0, sent.v1
        from ${transaction.dialect.rows(JSON.stringify(rows), ['text', 'integer'])} sent where true
        on conflict do nothing`,
    );
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  await transaction.run(
    sql`update pdb_catalogs set resource_count = ${total}, resource_counts = ${counts}, counted_content = ${content}
      where node_id = ${id}`,
  );
}

/** Sorted, so that the order of the resources does not matter. */
function countedRows(resources: Catalog['resources']): readonly CountedRow[] {
  // A duplicate resource is stored once, with the values of the last.
  const distinct = new Map(resources.map((each) => [`${each.type}\0${each.title}`, each]));
  const groups = Map.groupBy(distinct.values(), ({ type }) => type);
  return Array.from(groups, ([type, { length }]): CountedRow => [type, length]).toSorted(([a], [b]) =>
    compareText(a, b),
  );
}
