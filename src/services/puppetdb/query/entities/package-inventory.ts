import type { Entity } from '../entity.ts';

export function packageInventory(): Entity {
  return {
    name: 'package_inventory',
    source: 'pdb_packages pk join pdb_nodes n on n.id = pk.node_id',
    nodeAlias: 'n',
    isOfNode: true,
    isActiveOnly: true,
    columns: [
      { name: 'certname', kind: 'text', sql: 'n.certname' },
      { name: 'package_name', kind: 'text', sql: 'pk.package_name' },
      { name: 'version', kind: 'text', sql: 'pk.version' },
      { name: 'provider', kind: 'text', sql: 'pk.provider' },
    ],
  };
}
