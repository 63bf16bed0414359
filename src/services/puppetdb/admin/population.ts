/** How much there is, for dashboards: the `population` metrics. */

import { type DirectDatabase, sql } from '../../../platform/storage/index.ts';

export interface Population {
  readonly nodes: number;
  readonly inactiveNodes: number;
  readonly resources: number;
  /** Resources with parameters that no other has. */
  readonly distinctResources: number;
  readonly deadLetters: number;
  readonly deadLetterBytes: number;
}

export async function readPopulation(database: DirectDatabase): Promise<Population> {
  const [row] = await database.read(sql`select
    (select count(*) from pdb_nodes where deactivated is null and expired is null) as nodes,
    (select count(*) from pdb_nodes where deactivated is not null or expired is not null) as inactive_nodes,
    (select coalesce(sum(resource_count), 0) from pdb_catalogs c join pdb_nodes n on n.id = c.node_id
      where n.deactivated is null and n.expired is null) as resources,
    (select count(*) from pdb_parameters) as distinct_resources,
    (select count(*) from pdb_dead_letters) as dead_letters,
    (select coalesce(sum(length(payload)), 0) from pdb_dead_letters) as dead_letter_bytes`);
  const number = (name: string): number => Number(row?.[name] ?? 0);
  return {
    nodes: number('nodes'),
    inactiveNodes: number('inactive_nodes'),
    resources: number('resources'),
    distinctResources: number('distinct_resources'),
    deadLetters: number('dead_letters'),
    deadLetterBytes: number('dead_letter_bytes'),
  };
}
