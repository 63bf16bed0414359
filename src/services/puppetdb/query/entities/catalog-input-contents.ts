import type { Entity } from '../entity.ts';

export const catalogInputContents: Entity = {
  name: 'catalog_input_contents',
  source: `pdb_catalog_inputs ci join pdb_nodes n on n.id = ci.node_id join json_each(ci.inputs) item`,
  nodeAlias: 'n',
  isActiveOnly: true,
  columns: [
    { name: 'certname', kind: 'text', sql: 'n.certname' },
    { name: 'producer_timestamp', kind: 'timestamp', sql: 'ci.producer_timestamp' },
    { name: 'catalog_uuid', kind: 'text', sql: 'ci.catalog_uuid' },
    { name: 'name', kind: 'text', sql: "(item.value ->> '$[1]')" },
    { name: 'type', kind: 'text', sql: "(item.value ->> '$[0]')" },
  ],
};
