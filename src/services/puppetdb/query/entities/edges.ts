import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function edges({ entities }: QueryDialect): Entity {
  return {
    name: 'edges',
    source: `pdb_catalogs c join pdb_nodes n on n.id = c.node_id
    join pdb_edge_sets es on es.hash = c.edge_set cross join ${entities.elements('es.edges', 'edge')}`,
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'relationship', kind: 'text', sql: "(edge.value ->> 'relationship')" },
      { name: 'source_title', kind: 'text', sql: "(edge.value ->> 'source_title')" },
      { name: 'source_type', kind: 'text', sql: "(edge.value ->> 'source_type')" },
      { name: 'target_title', kind: 'text', sql: "(edge.value ->> 'target_title')" },
      { name: 'target_type', kind: 'text', sql: "(edge.value ->> 'target_type')" },
    ],
  };
}
