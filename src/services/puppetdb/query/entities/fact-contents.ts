import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function factContents({ entities }: QueryDialect): Entity {
  const { source, path, value } = entities.leaves('f.name', 'f.value');
  return {
    name: 'fact_contents',
    label: 'fact_nodes',
    source: `pdb_facts f join pdb_nodes n on n.id = f.node_id join pdb_factsets fs on fs.node_id = f.node_id
    cross join ${source}`,
    nodeAlias: 'n',
    isOfNode: true,
    relations: {
      facts: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
      environments: { local: ['environment'], foreign: ['name'] },
    },
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'environment', kind: 'text', sql: 'fs.environment' },
      { name: 'path', kind: 'path', sql: path, firstKey: 'f.name' },
      { name: 'name', kind: 'text', sql: 'f.name' },
      { name: 'value', kind: 'multi', sql: value },
    ],
  };
}
