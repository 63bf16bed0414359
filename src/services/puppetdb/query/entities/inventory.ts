import type { Entity } from '../entity.ts';
import { factValue } from './fact-value.ts';

export const inventory: Entity = {
  name: 'inventory',
  source: 'pdb_factsets fs join pdb_nodes n on n.id = fs.node_id',
  nodeAlias: 'n',
  isActiveOnly: true,
  columns: [
    { name: 'certname', kind: 'text', sql: 'n.certname' },
    { name: 'timestamp', kind: 'timestamp', sql: 'fs.timestamp' },
    { name: 'environment', kind: 'text', sql: 'fs.environment' },
    {
      name: 'facts',
      kind: 'json',
      sql: `(select '{' || coalesce(group_concat(json_quote(f.name) || ':' || f.value), '') || '}'
        from pdb_facts f where f.node_id = fs.node_id)`,
    },
    {
      name: 'trusted',
      kind: 'json',
      sql: "(select f.value from pdb_facts f where f.node_id = fs.node_id and f.name = 'trusted')",
    },
  ],
  dotted: ({ root, keys }) => {
    const [first, ...rest] = keys;
    if (root === 'trusted') return factValue('fs.node_id', 'trusted', keys);
    if (root !== 'facts' || typeof first !== 'string') return undefined;
    return factValue('fs.node_id', first, rest);
  },
};
