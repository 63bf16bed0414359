import type { Entity } from '../entity.ts';

export const factNames: Entity = {
  name: 'fact_names',
  source: 'pdb_facts f',
  isDistinct: true,
  columns: [{ name: 'name', kind: 'text', sql: 'f.name' }],
  bareColumn: 'name',
};
