import type { Entity } from '../entity.ts';

export function factNames(): Entity {
  return {
    name: 'fact_names',
    source: 'pdb_facts f',
    isDistinct: true,
    columns: [{ name: 'name', kind: 'text', sql: 'f.name' }],
    bareColumn: 'name',
  };
}
