import type { Entity } from '../entity.ts';

const byEnvironment = { local: ['name'], foreign: ['environment'] };

export function environments(): Entity {
  return {
    name: 'environments',
    source: 'pdb_environments e',
    columns: [{ name: 'name', kind: 'text', sql: 'e.name' }],
    relations: {
      inventory: byEnvironment,
      factsets: byEnvironment,
      reports: byEnvironment,
      catalogs: byEnvironment,
      facts: byEnvironment,
      fact_contents: byEnvironment,
      events: byEnvironment,
      resources: byEnvironment,
    },
  };
}
