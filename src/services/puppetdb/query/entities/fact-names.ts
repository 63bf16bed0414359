import type { Entity } from '../entity.ts';

/** From one name to the next by the key of the table: there are a hundred names and a hundred thousand facts. */
const names = `(with recursive known(name) as (
    select min(name) from pdb_facts
    union all
    select (select min(following.name) from pdb_facts following where following.name > known.name)
    from known where known.name is not null
  ) select name from known where name is not null)`;

export function factNames(): Entity {
  return {
    name: 'fact_names',
    source: `${names} f`,
    isDistinct: true,
    columns: [{ name: 'name', kind: 'text', sql: 'f.name' }],
    bareColumn: 'name',
  };
}
