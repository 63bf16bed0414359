import type { Entity } from '../entity.ts';

export const factsets: Entity = {
  name: 'factsets',
  source: 'pdb_factsets fs join pdb_nodes n on n.id = fs.node_id',
  nodeAlias: 'n',
  isActiveOnly: true,
  columns: [
    { name: 'timestamp', kind: 'timestamp', sql: 'fs.timestamp' },
    {
      name: 'facts',
      kind: 'json',
      sql: `(select '{"data":[' || coalesce(group_concat('{"name":' || json_quote(f.name) || ',"value":' || f.value || '}'), '')
        || '],"href":' || json_quote('/pdb/query/v4/factsets/' || n.certname || '/facts') || '}'
        from pdb_facts f where f.node_id = fs.node_id)`,
    },
    { name: 'certname', kind: 'text', sql: 'n.certname' },
    { name: 'hash', kind: 'text', sql: 'fs.hash' },
    { name: 'producer_timestamp', kind: 'timestamp', sql: 'fs.producer_timestamp' },
    { name: 'producer', kind: 'text', sql: 'fs.producer' },
    { name: 'environment', kind: 'text', sql: 'fs.environment' },
  ],
};
