import type { Entity } from '../entity.ts';

export const factPaths: Entity = {
  name: 'fact_paths',
  source: 'pdb_facts f join json_each(json_leaves(f.name, f.value)) leaf',
  isDistinct: true,
  columns: [
    { name: 'type', kind: 'text', sql: "(leaf.value ->> '$.type')" },
    { name: 'path', kind: 'path', sql: "(leaf.value -> '$.path')", firstKey: 'f.name' },
    { name: 'name', kind: 'text', sql: 'f.name' },
    {
      name: 'depth',
      kind: 'integer',
      sql: "(json_array_length(leaf.value, '$.path') - 1)",
      isReturned: false,
    },
  ],
  relations: {
    facts: { local: ['name'], foreign: ['name'] },
    fact_contents: { local: ['path'], foreign: ['path'] },
  },
};
