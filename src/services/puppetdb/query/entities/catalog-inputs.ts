import type { Entity } from '../entity.ts';

export function catalogInputs(): Entity {
  return {
    name: 'catalog_inputs',
    source: 'pdb_catalog_inputs ci join pdb_nodes n on n.id = ci.node_id',
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'producer_timestamp', kind: 'timestamp', sql: 'ci.producer_timestamp' },
      { name: 'catalog_uuid', kind: 'text', sql: 'ci.catalog_uuid' },
      { name: 'inputs', kind: 'json', sql: 'ci.inputs' },
    ],
  };
}
