import type { EntityDialect, QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

/**
 * From one name to the next by the key of the table: there are a hundred names and a hundred thousand facts. A name that only empty
 * hashes and lists have has no value anywhere: to the reference it is none.
 */
function names({ jsonText }: EntityDialect): string {
  return `(with recursive known(name) as (
    select min(name) from pdb_facts
    union all
    select (select min(following.name) from pdb_facts following where following.name > known.name)
    from known where known.name is not null
  ) select name from known where name is not null and exists (
    select 1 from pdb_facts held where held.name = known.name and ${jsonText('held.value')} not in ('{}', '[]')
  ))`;
}

export function factNames({ entities }: QueryDialect): Entity {
  return {
    name: 'fact_names',
    source: `${names(entities)} f`,
    isDistinct: true,
    columns: [{ name: 'name', kind: 'text', sql: 'f.name' }],
    bareColumn: 'name',
  };
}
