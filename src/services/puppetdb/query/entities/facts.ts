import type { Entity } from '../entity.ts';
import { factValueInOrder } from '../map-order.ts';

export function facts(): Entity {
  return {
    name: 'facts',
    source: `pdb_facts f join pdb_nodes n on n.id = f.node_id join pdb_factsets fs on fs.node_id = f.node_id`,
    nodeAlias: 'n',
    isOfNode: true,
    relations: {
      environments: { local: ['environment'], foreign: ['name'] },
      fact_contents: { local: ['certname', 'name'], foreign: ['certname', 'name'] },
    },
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'environment', kind: 'text', sql: 'fs.environment' },
      { name: 'name', kind: 'text', sql: 'f.name' },
      { name: 'value', kind: 'multi', sql: 'f.value', inOrder: factValueInOrder },
    ],
  };
}
