import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';

export function catalogInputContents({ entities }: QueryDialect): Entity {
  return {
    name: 'catalog_input_contents',
    source: `pdb_catalog_inputs ci join pdb_nodes n on n.id = ci.node_id cross join ${entities.elements('ci.inputs', 'item')}`,
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'producer_timestamp', kind: 'timestamp', sql: 'ci.producer_timestamp' },
      { name: 'catalog_uuid', kind: 'text', sql: 'ci.catalog_uuid' },
      { name: 'name', kind: 'text', sql: '(item.value ->> 1)' },
      { name: 'type', kind: 'text', sql: '(item.value ->> 0)' },
    ],
  };
}
