import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function factPaths({ entities }: QueryDialect): Entity {
  const { source, path, type, depth } = entities.leaves('f.name', 'f.value');
  return {
    name: 'fact_paths',
    source: `pdb_facts f cross join ${source}`,
    isDistinct: true,
    columns: [
      { name: 'type', kind: 'text', sql: type },
      { name: 'path', kind: 'path', sql: path, firstKey: 'f.name' },
      { name: 'name', kind: 'text', sql: 'f.name' },
      { name: 'depth', kind: 'integer', sql: depth, isReturned: false },
    ],
    relations: {
      facts: { local: ['name'], foreign: ['name'] },
      fact_contents: { local: ['path'], foreign: ['path'] },
    },
  };
}
