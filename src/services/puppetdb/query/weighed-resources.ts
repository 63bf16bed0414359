/** Counts resources by type: counts that many catalogs share are read once. */

import { always, chained, type Fragment, fragment, raw } from './fragment.ts';

export interface WeighedResources {
  readonly source: string;
  /** All of them hold. */
  readonly conditions: readonly Fragment[];
  /** The column of the resources: `rs.type`. */
  readonly columns: readonly string[];
}

/** The counted column; all others belong to one resource. */
const counted = /^rs\.type$/;

/**
 * A source `rs` with the wanted columns and `weight`.
 *
 * @returns `undefined` where resources have to be looked at one by one, and where it is known how many a catalog has
 */
export function weighedResources({ columns, conditions, source }: WeighedResources): Fragment | undefined {
  const split = splitConditions(conditions);
  if (split === undefined || !columns.every((column) => counted.test(column))) return undefined;
  if (columns.length === 0 && split.ofResources.length === 0) return undefined;
  const catalogs = all(split.ofCatalogs);
  const had = fragment`select c.resource_counts as counts, count(*) as catalogs
    from pdb_catalogs c join pdb_nodes n on n.id = c.node_id
    where ${catalogs} and c.counted_content = c.content group by c.resource_counts`;
  const select = (weight: string): Fragment => raw(`select ${[...columns, weight].join(', ')} as weight`);
  const isUncounted = raw('(c.counted_content is null or c.counted_content <> c.content)');
  return fragment`(${select('had.catalogs * rs.resources')} from (${had}) had
      join pdb_resource_counts rs on rs.counts = had.counts where ${all(split.ofResources)}
    union all ${select('1')} from ${raw(source)}
      where ${isUncounted} and ${all([...split.ofCatalogs, ...split.ofResources])}) rs`;
}

interface SplitConditions {
  readonly ofCatalogs: readonly Fragment[];
  readonly ofResources: readonly Fragment[];
}

/** @returns `undefined` when one concerns both, or fields that are not counted */
function splitConditions(conditions: readonly Fragment[]): SplitConditions | undefined {
  const ofCatalogs: Fragment[] = [];
  const ofResources: Fragment[] = [];
  for (const condition of conditions) {
    const text = condition.parts.join(' ');
    const columns = text.match(/\b(?:rs|pa)\.\w+/g) ?? [];
    if (columns.length === 0) ofCatalogs.push(condition);
    else if (/\b[cn]\./.test(text) || !columns.every((column) => counted.test(column))) return undefined;
    else ofResources.push(condition);
  }
  return { ofCatalogs, ofResources };
}

function all(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? always : chained(conditions, 'and');
}
