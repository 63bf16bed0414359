import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

/** Paths are kept once for all nodes that have the same; facts of earlier releases have to be looked at. */
export function factPaths({ entities }: QueryDialect): Entity {
  const { source, path, type, depth } = entities.leaves('held.name', 'held.value');
  return {
    name: 'fact_paths',
    source: `(select shape.name, shape.path as path, shape.type, shape.depth from pdb_fact_shapes shape
      union all
      select held.name, ${path} as path, ${type} as type, ${depth} as depth
      from pdb_facts held cross join ${source} where held.shape is null) f`,
    isDistinct: true,
    columns: [
      { name: 'type', kind: 'text', sql: 'f.type' },
      { name: 'path', kind: 'path', sql: 'f.path', firstKey: 'f.name' },
      { name: 'name', kind: 'text', sql: 'f.name' },
      { name: 'depth', kind: 'integer', sql: 'f.depth', isReturned: false },
    ],
    relations: {
      facts: { local: ['name'], foreign: ['name'] },
      fact_contents: { local: ['path'], foreign: ['path'] },
    },
  };
}
